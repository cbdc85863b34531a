-- One word for one thing: a flow, the write that it begins and the journal's entry of it have one name. "-in" goes into the
-- ERP, "-out" goes to the marketplace. The audit log stays as it was written.
UPDATE `work` SET `flow` = CASE `flow`
  WHEN 'product-images' THEN 'images'
  WHEN 'order' THEN 'order-in'
  WHEN 'erp-order' THEN 'order-out'
  WHEN 'payment' THEN 'payment-in'
  WHEN 'erp-payment' THEN 'payment-out'
  WHEN 'new-customer' THEN 'customer-in'
  WHEN 'customer' THEN 'customer-out'
  ELSE `flow` END
WHERE `flow` IN ('product-images', 'order', 'erp-order', 'payment', 'erp-payment', 'new-customer', 'customer');
--> statement-breakpoint
UPDATE `failed_jobs` SET `flow` = CASE `flow`
  WHEN 'product-images' THEN 'images'
  WHEN 'order' THEN 'order-in'
  WHEN 'erp-order' THEN 'order-out'
  WHEN 'payment' THEN 'payment-in'
  WHEN 'erp-payment' THEN 'payment-out'
  WHEN 'new-customer' THEN 'customer-in'
  WHEN 'customer' THEN 'customer-out'
  ELSE `flow` END
WHERE `flow` IN ('product-images', 'order', 'erp-order', 'payment', 'erp-payment', 'new-customer', 'customer');
--> statement-breakpoint
UPDATE `replays` SET `flow` = CASE `flow`
  WHEN 'product-images' THEN 'images'
  WHEN 'order' THEN 'order-in'
  WHEN 'erp-order' THEN 'order-out'
  WHEN 'payment' THEN 'payment-in'
  WHEN 'erp-payment' THEN 'payment-out'
  WHEN 'new-customer' THEN 'customer-in'
  WHEN 'customer' THEN 'customer-out'
  ELSE `flow` END
WHERE `flow` IN ('product-images', 'order', 'erp-order', 'payment', 'erp-payment', 'new-customer', 'customer');
--> statement-breakpoint
UPDATE `pauses` SET `flow` = CASE `flow`
  WHEN 'product-images' THEN 'images'
  WHEN 'order' THEN 'order-in'
  WHEN 'erp-order' THEN 'order-out'
  WHEN 'payment' THEN 'payment-in'
  WHEN 'erp-payment' THEN 'payment-out'
  WHEN 'new-customer' THEN 'customer-in'
  WHEN 'customer' THEN 'customer-out'
  ELSE `flow` END
WHERE `flow` IN ('product-images', 'order', 'erp-order', 'payment', 'erp-payment', 'new-customer', 'customer');
--> statement-breakpoint
UPDATE `brake_plans` SET `flow` = CASE `flow`
  WHEN 'product-images' THEN 'images'
  WHEN 'order' THEN 'order-in'
  WHEN 'erp-order' THEN 'order-out'
  WHEN 'payment' THEN 'payment-in'
  WHEN 'erp-payment' THEN 'payment-out'
  WHEN 'new-customer' THEN 'customer-in'
  WHEN 'customer' THEN 'customer-out'
  ELSE `flow` END
WHERE `flow` IN ('product-images', 'order', 'erp-order', 'payment', 'erp-payment', 'new-customer', 'customer');
--> statement-breakpoint
UPDATE `intents` SET `kind` = CASE `kind`
  WHEN 'erp-order' THEN 'order-in'
  WHEN 'marketplace-order' THEN 'order-out'
  WHEN 'customer' THEN 'customer-in'
  WHEN 'marketplace-customer' THEN 'customer-out'
  WHEN 'erp-payment' THEN 'payment-in'
  WHEN 'marketplace-payment' THEN 'payment-out'
  WHEN 'product-image' THEN 'image'
  WHEN 'reconcile' THEN 'facility-stock'
  ELSE `kind` END
WHERE `kind` IN ('erp-order', 'marketplace-order', 'customer', 'marketplace-customer', 'erp-payment', 'marketplace-payment', 'product-image', 'reconcile');
--> statement-breakpoint
UPDATE `journal` SET `action` = CASE substr(`action`, 1, instr(`action` || ':', ':') - 1)
  WHEN 'customer.create' THEN 'customer-in.create'
  WHEN 'marketplace-customer.create' THEN 'customer-out.create'
  WHEN 'customer.link' THEN 'customer-out.link'
  WHEN 'customer.patch' THEN 'customer-out.patch'
  WHEN 'customer.address' THEN 'customer-out.address'
  WHEN 'customer.archive' THEN 'customer-out.archive'
  WHEN 'customer.restore' THEN 'customer-out.restore'
  WHEN 'erp-order.create' THEN 'order-in.create'
  WHEN 'erp-order.update' THEN 'order-in.update'
  WHEN 'order.link' THEN 'order-in.link'
  WHEN 'order.mark' THEN 'order-in.mark'
  WHEN 'order.transition' THEN 'order-in.transition'
  WHEN 'marketplace-order.create' THEN 'order-out.create'
  WHEN 'erp-payment.create' THEN 'payment-in.create'
  WHEN 'marketplace-payment.create' THEN 'payment-out.create'
  WHEN 'product-image.upload' THEN 'images.upload'
  WHEN 'product-image.remove' THEN 'images.remove'
  WHEN 'stock.reconcile' THEN 'facility-stock.reconcile'
  WHEN 'stock.follow' THEN 'facility-stock.follow'
  WHEN 'payment.link' THEN CASE `flow` WHEN 'payment' THEN 'payment-in.link' ELSE 'payment-out.link' END
  ELSE substr(`action`, 1, instr(`action` || ':', ':') - 1) END || substr(`action`, instr(`action` || ':', ':')), `flow` = CASE `flow`
  WHEN 'product-images' THEN 'images'
  WHEN 'order' THEN 'order-in'
  WHEN 'erp-order' THEN 'order-out'
  WHEN 'payment' THEN 'payment-in'
  WHEN 'erp-payment' THEN 'payment-out'
  WHEN 'new-customer' THEN 'customer-in'
  WHEN 'customer' THEN 'customer-out'
  ELSE `flow` END;
--> statement-breakpoint
UPDATE `brake_items` SET `action` = CASE substr(`action`, 1, instr(`action` || ':', ':') - 1)
  WHEN 'customer.create' THEN 'customer-in.create'
  WHEN 'marketplace-customer.create' THEN 'customer-out.create'
  WHEN 'customer.link' THEN 'customer-out.link'
  WHEN 'customer.patch' THEN 'customer-out.patch'
  WHEN 'customer.address' THEN 'customer-out.address'
  WHEN 'customer.archive' THEN 'customer-out.archive'
  WHEN 'customer.restore' THEN 'customer-out.restore'
  WHEN 'erp-order.create' THEN 'order-in.create'
  WHEN 'erp-order.update' THEN 'order-in.update'
  WHEN 'order.link' THEN 'order-in.link'
  WHEN 'order.mark' THEN 'order-in.mark'
  WHEN 'order.transition' THEN 'order-in.transition'
  WHEN 'marketplace-order.create' THEN 'order-out.create'
  WHEN 'erp-payment.create' THEN 'payment-in.create'
  WHEN 'marketplace-payment.create' THEN 'payment-out.create'
  WHEN 'product-image.upload' THEN 'images.upload'
  WHEN 'product-image.remove' THEN 'images.remove'
  WHEN 'stock.reconcile' THEN 'facility-stock.reconcile'
  WHEN 'stock.follow' THEN 'facility-stock.follow'
  WHEN 'payment.link' THEN CASE `flow` WHEN 'payment' THEN 'payment-in.link' ELSE 'payment-out.link' END
  ELSE substr(`action`, 1, instr(`action` || ':', ':') - 1) END || substr(`action`, instr(`action` || ':', ':')), `flow` = CASE `flow`
  WHEN 'product-images' THEN 'images'
  WHEN 'order' THEN 'order-in'
  WHEN 'erp-order' THEN 'order-out'
  WHEN 'payment' THEN 'payment-in'
  WHEN 'erp-payment' THEN 'payment-out'
  WHEN 'new-customer' THEN 'customer-in'
  WHEN 'customer' THEN 'customer-out'
  ELSE `flow` END;
--> statement-breakpoint
UPDATE `facts` SET `name` = 'alert:' || CASE substr(`name`, 7, instr(substr(`name`, 7), ':') - 1)
  WHEN 'product-images' THEN 'images'
  WHEN 'order' THEN 'order-in'
  WHEN 'erp-order' THEN 'order-out'
  WHEN 'payment' THEN 'payment-in'
  WHEN 'erp-payment' THEN 'payment-out'
  WHEN 'new-customer' THEN 'customer-in'
  WHEN 'customer' THEN 'customer-out'
  ELSE substr(`name`, 7, instr(substr(`name`, 7), ':') - 1) END || substr(`name`, 6 + instr(substr(`name`, 7), ':'))
WHERE substr(`name`, 1, 6) = 'alert:' AND substr(`name`, 7, instr(substr(`name`, 7), ':') - 1) IN ('product-images', 'order', 'erp-order', 'payment', 'erp-payment', 'new-customer', 'customer');
