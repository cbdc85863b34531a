create function as_integer(digits text) returns bigint language sql immutable parallel safe as $$
  select case when digits ~ '^\s*-?[0-9]{1,18}' then substring(digits from '^\s*(-?[0-9]+)')::bigint else 0 end
$$;
--> statement-breakpoint
-- jsonb refuses the character 0 and halves of characters, which JSON may name: they are left out.
create function as_json(document text) returns jsonb language plpgsql immutable parallel safe as $$
begin
  return document::jsonb;
exception when others then
  return regexp_replace(document, '(?<!\\)((?:\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})', '\1', 'gi')::jsonb;
end
$$;
--> statement-breakpoint
-- An index is restored, and since PostgreSQL 17 also made, without a search path: so this calls no function of ours.
create function json_extract(document text, path text) returns text language plpgsql immutable parallel safe as $$
begin
  return document::jsonb #>> string_to_array(substr(path, 3), '.');
exception when others then
  return regexp_replace(document, '(?<!\\)((?:\\\\)*)\\u(0000|d[89a-f][0-9a-f]{2})', '\1', 'gi')::jsonb
    #>> string_to_array(substr(path, 3), '.');
end
$$;
--> statement-breakpoint
create function json_each(document text) returns table (value text) language sql immutable parallel safe as $$
  select part #>> '{}' from jsonb_array_elements(as_json(document)) as part
$$;
--> statement-breakpoint
create function instr(whole text, part text) returns integer language sql immutable parallel safe as $$
  select strpos(whole, part)
$$;
--> statement-breakpoint
create function instr(whole bytea, part text) returns integer language sql immutable parallel safe as $$
  select position(convert_to(part, 'UTF8') in whole)
$$;
--> statement-breakpoint
create table numbers_given (name text collate "C" primary key, seq bigint not null);
--> statement-breakpoint
create function audit_number_given() returns trigger language plpgsql as $$
begin
  insert into numbers_given values ('audit', new.id) on conflict (name) do update set seq = excluded.seq;
  return new;
end
$$;
--> statement-breakpoint
create function audit_refuses() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is only ever added to';
end
$$;
--> statement-breakpoint
create table "answers" (
  "hash" text collate "C" primary key,
  "request_hash" text collate "C" not null,
  "asked_at_ms" bigint not null,
  "answer" text collate "C"
);
--> statement-breakpoint
create index "answers_by_time" on "answers" ("asked_at_ms");
--> statement-breakpoint
create table "configurations" (
  "account" text collate "C" not null,
  "settings" text collate "C" not null,
  "generation" bigint not null,
  "brought_by" text collate "C" not null,
  "since_ms" bigint not null,
  primary key ("account", "settings")
);
--> statement-breakpoint
create unique index "configurations_by_generation" on "configurations" ("account", "generation");
--> statement-breakpoint
create table "daemon_configurations" (
  "daemon" text collate "C" not null,
  "account" text collate "C" not null,
  "settings" text collate "C",
  "may_work" bigint not null default 0,
  "problem" text collate "C",
  primary key ("daemon", "account")
);
--> statement-breakpoint
create table "daemons" (
  "id" text collate "C" primary key,
  "name" text collate "C" not null,
  "works" bigint not null default 0,
  "lives_until_ms" bigint not null
);
--> statement-breakpoint
create table "leases" (
  "account" text collate "C" primary key,
  "holder" text collate "C" not null,
  "fence" bigint not null,
  "until_ms" bigint not null,
  "since_ms" bigint not null default 0
);
--> statement-breakpoint
create table "sessions" (
  "hash" text collate "C" primary key,
  "proof" text collate "C" not null,
  "ends_at_ms" bigint not null
);
--> statement-breakpoint
create index "sessions_by_end" on "sessions" ("ends_at_ms");
--> statement-breakpoint
create table "tokens" (
  "account" text collate "C" not null,
  "side" text collate "C" not null,
  "source" text collate "C" not null,
  "version" bigint not null,
  "claimed_until_ms" bigint not null,
  "access_token" text collate "C" not null default '',
  "refresh_token" text collate "C",
  "obtained_at_ms" bigint not null,
  "expires_at_ms" bigint,
  primary key ("account", "side", "source")
);
--> statement-breakpoint
create table "erp_customers" (
  "account" text collate "C" not null,
  "id" text collate "C" not null,
  "name" text collate "C" not null,
  "marketplace_id" bigint,
  "license_key" text collate "C",
  "email_key" text collate "C",
  "gone" bigint not null default 0,
  "content" text collate "C" not null,
  "changed_at" text collate "C",
  "seen_at_ms" bigint not null,
  primary key ("account", "id")
);
--> statement-breakpoint
create index "erp_customers_by_marketplace" on "erp_customers" ("account", "marketplace_id");
--> statement-breakpoint
create index "erp_customers_by_license" on "erp_customers" ("account", "license_key");
--> statement-breakpoint
create index "erp_customers_by_email" on "erp_customers" ("account", "email_key");
--> statement-breakpoint
create table "erp_images" (
  "account" text collate "C" not null,
  "product_id" text collate "C" not null,
  "url" text collate "C" not null,
  "hash" text collate "C",
  "etag" text collate "C",
  "failure" text collate "C",
  "checked_at_ms" bigint not null,
  primary key ("account", "product_id", "url")
);
--> statement-breakpoint
create index "erp_images_by_check" on "erp_images" ("account", "checked_at_ms");
--> statement-breakpoint
create table "erp_lots" (
  "account" text collate "C" not null,
  "id" text collate "C" not null,
  "product_id" text collate "C" not null,
  "batch" text collate "C" not null,
  "attributes" text collate "C" not null,
  "changed_at" text collate "C" not null,
  "seen_at_ms" bigint not null,
  primary key ("account", "id")
);
--> statement-breakpoint
create index "erp_lots_by_batch" on "erp_lots" ("account", "product_id", "batch");
--> statement-breakpoint
create table "erp_orders" (
  "account" text collate "C" not null,
  "id" text collate "C" not null,
  "reference" text collate "C" not null,
  "origin" text collate "C" not null,
  "status" text collate "C" not null,
  "content" text collate "C" not null,
  "changed_at" text collate "C" not null,
  "counted_since" text collate "C",
  "seen_at_ms" bigint not null,
  "changed_tick" bigint not null default 0,
  primary key ("account", "id")
);
--> statement-breakpoint
create index "erp_orders_by_reference" on "erp_orders" ("account", "reference");
--> statement-breakpoint
create index "erp_orders_by_customer" on "erp_orders" ("account", json_extract("content", '$.customer.id'));
--> statement-breakpoint
create index "erp_orders_by_shop_customer" on "erp_orders" ("account", json_extract("content", '$.customer.marketplaceId'));
--> statement-breakpoint
create table "erp_payments" (
  "account" text collate "C" not null,
  "id" text collate "C" not null,
  "reference" text collate "C" not null,
  "amount" text collate "C" not null,
  "currency" text collate "C" not null,
  "method" text collate "C",
  "received_at" text collate "C",
  "marketplace_id" text collate "C",
  "voided" bigint not null default 0,
  "changed_at" text collate "C" not null,
  "seen_at_ms" bigint not null,
  primary key ("account", "id")
);
--> statement-breakpoint
create index "erp_payments_by_reference" on "erp_payments" ("account", "reference");
--> statement-breakpoint
create table "erp_products" (
  "account" text collate "C" not null,
  "id" text collate "C" not null,
  "sku" text collate "C" not null,
  "name" text collate "C" not null,
  "description" text collate "C" not null,
  "active" bigint not null default 0,
  "deleted" bigint not null default 0,
  "price_amount" text collate "C" not null,
  "currency" text collate "C" not null,
  "unit_multiplier" text collate "C" not null,
  "attributes" text collate "C" not null,
  "changed_at" text collate "C" not null,
  "absences" bigint not null default 0,
  "listing" bigint not null default 0,
  primary key ("account", "id")
);
--> statement-breakpoint
create index "erp_products_by_sku" on "erp_products" ("account", "sku");
--> statement-breakpoint
create index "erp_products_sold" on "erp_products" ("account", "active", "deleted", "absences", "id");
--> statement-breakpoint
create index "erp_products_by_name" on "erp_products" ("account", lower("name"));
--> statement-breakpoint
create table "erp_stock" (
  "account" text collate "C" not null,
  "sku" text collate "C" not null,
  "product_id" text collate "C" not null,
  "location" text collate "C" not null default '',
  "batch" text collate "C" not null default '',
  "on_hand" text collate "C" not null,
  "reserved" text collate "C" not null,
  "available" text collate "C" not null,
  "as_of" text collate "C" not null,
  "problem" text collate "C",
  "changed_tick" bigint not null,
  primary key ("account", "product_id", "location", "batch")
);
--> statement-breakpoint
create index "erp_stock_by_sku" on "erp_stock" ("account", "sku");
--> statement-breakpoint
create table "assignments" (
  "account" text collate "C" not null,
  "listing_id" bigint not null,
  "content" text collate "C" not null,
  "tick" bigint not null,
  primary key ("account", "listing_id")
);
--> statement-breakpoint
create table "batches" (
  "account" text collate "C" not null,
  "id" bigint not null,
  "match_key" text collate "C",
  "content" text collate "C" not null,
  "seen_at_ms" bigint not null,
  primary key ("account", "id")
);
--> statement-breakpoint
create index "batches_by_key" on "batches" ("account", "match_key");
--> statement-breakpoint
create table "customers" (
  "account" text collate "C" not null,
  "id" bigint not null,
  "name" text collate "C" not null,
  "external_id" text collate "C",
  "license_key" text collate "C",
  "email_key" text collate "C",
  "archived" bigint not null default 0,
  "content" text collate "C" not null,
  "modified" text collate "C",
  "seen_at_ms" bigint not null,
  primary key ("account", "id")
);
--> statement-breakpoint
create index "customers_by_external_id" on "customers" ("account", "external_id");
--> statement-breakpoint
create index "customers_by_license" on "customers" ("account", "license_key");
--> statement-breakpoint
create index "customers_by_email" on "customers" ("account", "email_key");
--> statement-breakpoint
create index "customers_by_modified" on "customers" ("account", "modified");
--> statement-breakpoint
create table "listing_images" (
  "account" text collate "C" not null,
  "id" bigint not null,
  "listing_id" bigint not null,
  "position" bigint not null,
  "hash" text collate "C" not null,
  primary key ("account", "id")
);
--> statement-breakpoint
create index "listing_images_by_listing" on "listing_images" ("account", "listing_id");
--> statement-breakpoint
create table "listing_signs" (
  "account" text collate "C" not null,
  "sign" text collate "C" not null,
  "listing_id" bigint not null,
  primary key ("account", "sign", "listing_id")
);
--> statement-breakpoint
create index "listing_signs_by_listing" on "listing_signs" ("account", "listing_id");
--> statement-breakpoint
create table "measurements" (
  "account" text collate "C" not null,
  "listing_id" bigint not null,
  "rows" text collate "C" not null,
  "tick" bigint not null,
  "asked_at_ms" bigint not null,
  primary key ("account", "listing_id")
);
--> statement-breakpoint
create table "names" (
  "account" text collate "C" not null,
  "kind" text collate "C" not null,
  "id" bigint not null,
  "name" text collate "C" not null,
  "name_key" text collate "C" not null,
  "parent_id" bigint,
  primary key ("account", "kind", "id")
);
--> statement-breakpoint
create index "names_by_key" on "names" ("account", "kind", "name_key");
--> statement-breakpoint
create table "order_lines" (
  "account" text collate "C" not null,
  "number" text collate "C" not null,
  "line_id" bigint not null,
  "product_id" bigint not null,
  "quantity" text collate "C" not null,
  "price_amount" text collate "C" not null,
  "currency" text collate "C" not null,
  "sales_amount" text collate "C",
  "sales_currency" text collate "C",
  "unit_multiplier" text collate "C",
  "late" bigint not null default 0,
  primary key ("account", "number", "line_id")
);
--> statement-breakpoint
create index "order_lines_by_product" on "order_lines" ("account", "product_id");
--> statement-breakpoint
create table "orders" (
  "account" text collate "C" not null,
  "number" text collate "C" not null,
  "status" text collate "C" not null,
  "modified" text collate "C" not null,
  "external_id" text collate "C",
  "customer_id" bigint,
  "customer_name" text collate "C",
  "discount_amount" text collate "C" not null,
  "shipping_amount" text collate "C",
  "tax_amount" text collate "C",
  "total" text collate "C",
  "delivery_state" text collate "C",
  "has_lines" bigint not null default 0,
  "lines_status" text collate "C",
  "hash" text collate "C" not null,
  "raw" text collate "C" not null,
  "seen_at_ms" bigint not null,
  "first_modified" text collate "C",
  "first_status" text collate "C",
  "history" text collate "C",
  primary key ("account", "number")
);
--> statement-breakpoint
create index "orders_without_lines" on "orders" ("account", "has_lines", "number");
--> statement-breakpoint
create index "orders_by_modified" on "orders" ("account", "modified");
--> statement-breakpoint
create index "orders_by_status" on "orders" ("account", "status", "modified");
--> statement-breakpoint
create index "orders_by_external_id" on "orders" ("account", "external_id");
--> statement-breakpoint
create index "orders_by_customer" on "orders" ("account", "customer_id");
--> statement-breakpoint
create index "orders_by_customer_name" on "orders" ("account", lower("customer_name"));
--> statement-breakpoint
create table "payments" (
  "account" text collate "C" not null,
  "id" text collate "C" not null,
  "order_number" text collate "C" not null,
  "total" text collate "C" not null,
  "currency" text collate "C",
  "type" text collate "C" not null,
  "paid_at" text collate "C",
  "created_at" text collate "C",
  "seen_at_ms" bigint not null,
  primary key ("account", "id")
);
--> statement-breakpoint
create index "payments_by_order" on "payments" ("account", "order_number");
--> statement-breakpoint
create table "products" (
  "account" text collate "C" not null,
  "id" bigint not null,
  "sku" text collate "C",
  "external_id" text collate "C",
  "name" text collate "C",
  "description" text collate "C",
  "price_amount" text collate "C",
  "currency" text collate "C",
  "unit_multiplier" text collate "C",
  "quantity" text collate "C",
  "reserved" text collate "C",
  "available" text collate "C",
  "certain" bigint not null default 0,
  "observed_tick" bigint not null,
  "released_tick" bigint not null default 0,
  "unexplained" text collate "C" not null default '0',
  "unseen" text collate "C" not null default '0',
  "archived" bigint not null default 0,
  "managed" bigint not null default 0,
  "modified" text collate "C",
  "created_on" text collate "C",
  "raw" text collate "C" not null,
  "seen_at_ms" bigint not null,
  primary key ("account", "id")
);
--> statement-breakpoint
create index "products_by_sku" on "products" ("account", "sku");
--> statement-breakpoint
create index "products_by_external_id" on "products" ("account", "external_id");
--> statement-breakpoint
create index "products_on_sale" on "products" ("account", "archived", "id");
--> statement-breakpoint
create table "transport_orders" (
  "account" text collate "C" not null,
  "id" text collate "C" not null,
  "order_key" text collate "C",
  "status" text collate "C" not null,
  "shipped_at" text collate "C",
  "delivered_at" text collate "C",
  "expected_at" text collate "C",
  "requested_on" text collate "C",
  "tracking" text collate "C",
  "seen_at_ms" bigint not null,
  primary key ("account", "id")
);
--> statement-breakpoint
create index "transport_orders_by_order" on "transport_orders" ("account", "order_key");
--> statement-breakpoint
create table "messages" (
  "id" bigint generated by default as identity primary key,
  "channel" text collate "C" not null,
  "event" text collate "C" not null,
  "account" text collate "C" not null,
  "kind" text collate "C" not null,
  "about" text collate "C" not null,
  "code" text collate "C" not null,
  "count" bigint not null,
  "at_ms" bigint not null,
  "attempts" bigint not null default 0,
  "not_before_ms" bigint not null
);
--> statement-breakpoint
create index "messages_by_channel" on "messages" ("channel", "id");
--> statement-breakpoint
create table "notices" (
  "account" text collate "C" not null,
  "kind" text collate "C" not null,
  "about" text collate "C" not null,
  "code" text collate "C" not null,
  "count" bigint not null,
  "since_ms" bigint not null,
  "told" bigint not null default 0,
  "gone_since_ms" bigint,
  primary key ("account", "kind", "about", "code")
);
--> statement-breakpoint
create table "coverage" (
  "id" bigint generated by default as identity primary key,
  "account" text collate "C" not null,
  "collection" text collate "C" not null,
  "from_instant" text collate "C",
  "to_instant" text collate "C",
  "rows" bigint not null,
  "finding" text collate "C",
  "read_at_ms" bigint not null
);
--> statement-breakpoint
create index "coverage_by_collection" on "coverage" ("account", "collection", "id");
--> statement-breakpoint
create table "cursors" (
  "account" text collate "C" not null,
  "collection" text collate "C" not null,
  "value" text collate "C" not null,
  "updated_at_ms" bigint not null,
  primary key ("account", "collection")
);
--> statement-breakpoint
create table "facts" (
  "account" text collate "C" not null,
  "name" text collate "C" not null,
  "value" text collate "C" not null,
  "updated_at_ms" bigint not null,
  primary key ("account", "name")
);
--> statement-breakpoint
create table "forgotten" (
  "account" text collate "C" not null,
  "kind" text collate "C" not null,
  "id" text collate "C" not null,
  "forgotten_at_ms" bigint not null,
  primary key ("account", "kind", "id")
);
--> statement-breakpoint
create table "inbox" (
  "id" bigint generated by default as identity primary key,
  "account" text collate "C" not null,
  "kind" text collate "C" not null,
  "body_hash" text collate "C" not null,
  "body" bytea not null,
  "received_at_ms" bigint not null,
  "processed_at_ms" bigint,
  "entity" text collate "C"
);
--> statement-breakpoint
create unique index "inbox_by_body" on "inbox" ("account", "kind", "body_hash");
--> statement-breakpoint
create index "inbox_by_entity" on "inbox" ("account", "kind", "entity");
--> statement-breakpoint
create index "inbox_by_processed" on "inbox" ("processed_at_ms", "account", "kind");
--> statement-breakpoint
create table "invalid_rows" (
  "account" text collate "C" not null,
  "collection" text collate "C" not null,
  "what" text collate "C" not null,
  "path" text collate "C" not null,
  "message" text collate "C" not null,
  "cause" text collate "C" not null default '',
  "seen_at_ms" bigint not null,
  primary key ("account", "collection", "what")
);
--> statement-breakpoint
create table "stock_history" (
  "id" bigint generated by default as identity primary key,
  "account" text collate "C" not null,
  "at_ms" bigint not null,
  "kind" text collate "C" not null,
  "key" text collate "C" not null,
  "part" text collate "C" not null,
  "before" text collate "C",
  "after" text collate "C",
  "as_of" text collate "C"
);
--> statement-breakpoint
create index "stock_history_by_key" on "stock_history" ("account", "kind", "key", "id");
--> statement-breakpoint
create table "audit" (
  "id" bigint generated by default as identity primary key,
  "at_ms" bigint not null,
  "who" text collate "C" not null,
  "account" text collate "C" not null,
  "flow" text collate "C" not null,
  "key" text collate "C" not null,
  "action" text collate "C" not null,
  "target" text collate "C" not null,
  "before" text collate "C",
  "after" text collate "C",
  "outcome" text collate "C" not null,
  "result_of" bigint,
  "previous_hash" text collate "C" not null,
  "hash" text collate "C" not null
);
--> statement-breakpoint
create index "audit_by_result" on "audit" ("result_of");
--> statement-breakpoint
create index "audit_by_action" on "audit" ("account", "action");
--> statement-breakpoint
create index "audit_by_entity" on "audit" ("account", "key");
--> statement-breakpoint
create table "brake_items" (
  "id" bigint generated by default as identity primary key,
  "plan_id" bigint not null,
  "account" text collate "C" not null,
  "flow" text collate "C" not null,
  "key" text collate "C" not null,
  "action" text collate "C" not null,
  "target" text collate "C" not null,
  "before" text collate "C",
  "after" text collate "C",
  "why" text collate "C" not null,
  "reason" text collate "C" not null,
  "state" text collate "C" not null
);
--> statement-breakpoint
create unique index "brake_items_by_write" on "brake_items" ("account", "flow", "key", "action", "target");
--> statement-breakpoint
create index "brake_items_by_plan" on "brake_items" ("plan_id", "id");
--> statement-breakpoint
create table "brake_plans" (
  "id" bigint generated by default as identity primary key,
  "account" text collate "C" not null,
  "flow" text collate "C" not null,
  "kind" text collate "C" not null,
  "holds_all" bigint not null default 0,
  "reason" text collate "C" not null,
  "state" text collate "C" not null,
  "created_at_ms" bigint not null,
  "expires_at_ms" bigint not null,
  "decided_by" text collate "C"
);
--> statement-breakpoint
create index "brake_plans_by_kind" on "brake_plans" ("account", "flow", "kind", "state");
--> statement-breakpoint
create table "drifts" (
  "id" bigint generated by default as identity primary key,
  "account" text collate "C" not null,
  "listing_id" bigint not null,
  "tick" bigint not null,
  "quantity" text collate "C" not null,
  "reserved" text collate "C" not null,
  "shown_quantity" text collate "C" not null,
  "shown_reserved" text collate "C" not null,
  "certain" bigint not null default 0,
  "moves" text collate "C" not null default '[]',
  "kind" text collate "C",
  "note" text collate "C" not null default '',
  "seen_at_ms" bigint not null
);
--> statement-breakpoint
create index "drifts_by_listing" on "drifts" ("account", "listing_id", "id");
--> statement-breakpoint
create index "drifts_by_kind" on "drifts" ("account", "kind");
--> statement-breakpoint
create table "journal" (
  "id" bigint generated by default as identity primary key,
  "account" text collate "C" not null,
  "flow" text collate "C" not null,
  "key" text collate "C" not null,
  "action" text collate "C" not null,
  "target" text collate "C" not null,
  "before" text collate "C",
  "after" text collate "C",
  "at_ms" bigint not null,
  "why" text collate "C" not null,
  "outcome" text collate "C" not null,
  "answer" text collate "C" not null default ''
);
--> statement-breakpoint
create index "journal_by_entity" on "journal" ("account", "key", "flow");
--> statement-breakpoint
create index "journal_by_action" on "journal" ("account", "action", "at_ms");
--> statement-breakpoint
create index "journal_by_flow" on "journal" ("flow", "id");
--> statement-breakpoint
create table "failed_jobs" (
  "id" bigint generated by default as identity primary key,
  "account" text collate "C" not null,
  "flow" text collate "C" not null,
  "key" text collate "C" not null,
  "cause" text collate "C" not null,
  "message" text collate "C" not null,
  "attempts" bigint not null,
  "failed_at_ms" bigint not null
);
--> statement-breakpoint
create unique index "failed_jobs_by_key" on "failed_jobs" ("account", "flow", "key");
--> statement-breakpoint
create table "intents" (
  "id" bigint generated by default as identity primary key,
  "account" text collate "C" not null,
  "kind" text collate "C" not null,
  "key" text collate "C" not null,
  "external_id" text collate "C" not null,
  "sent" text collate "C" not null default '',
  "state" text collate "C" not null,
  "evidence" text collate "C" not null default '',
  "candidates" text collate "C" not null default '[]',
  "dropped_as" text collate "C",
  "sent_at_ms" bigint not null,
  "left_at_ms" bigint,
  "settled_at_ms" bigint
);
--> statement-breakpoint
create index "intents_by_key" on "intents" ("account", "kind", "key");
--> statement-breakpoint
create index "intents_by_state" on "intents" ("state");
--> statement-breakpoint
create table "mappings" (
  "id" bigint generated by default as identity primary key,
  "account" text collate "C" not null,
  "kind" text collate "C" not null,
  "marketplace_id" text collate "C",
  "erp_id" text collate "C",
  "state" text collate "C" not null,
  "how" text collate "C" not null,
  "echoes" text collate "C" not null default '{}',
  "created_at_ms" bigint not null
);
--> statement-breakpoint
create unique index "mappings_by_marketplace" on "mappings" ("account", "kind", "marketplace_id");
--> statement-breakpoint
create unique index "mappings_by_erp" on "mappings" ("account", "kind", "erp_id");
--> statement-breakpoint
create table "order_bases" (
  "account" text collate "C" not null,
  "number" text collate "C" not null,
  "record" text collate "C" not null,
  primary key ("account", "number")
);
--> statement-breakpoint
create table "pauses" (
  "account" text collate "C" not null,
  "flow" text collate "C" not null,
  "reason" text collate "C" not null,
  "since_ms" bigint not null,
  primary key ("account", "flow")
);
--> statement-breakpoint
create table "reconciles" (
  "intent_id" bigint primary key,
  "listing_id" bigint not null,
  "facility_id" bigint not null,
  "batch_id" bigint not null,
  "to_quantity" text collate "C" not null,
  "reserved" text collate "C" not null,
  "command_id" bigint,
  "looked_at_ms" bigint not null,
  "failure" text collate "C"
);
--> statement-breakpoint
create table "replays" (
  "account" text collate "C" not null,
  "flow" text collate "C" not null,
  "key" text collate "C" not null,
  "audit_id" bigint not null,
  "journal_id" bigint not null,
  primary key ("account", "flow", "key")
);
--> statement-breakpoint
create table "work" (
  "account" text collate "C" not null,
  "flow" text collate "C" not null,
  "key" text collate "C" not null,
  "version" bigint not null,
  "lane" text collate "C" not null,
  "reason" text collate "C" not null,
  "state" text collate "C" not null,
  "hold_reason" text collate "C",
  "held_since_ms" bigint,
  "not_before_ms" bigint not null default 0,
  "since_ms" bigint not null,
  primary key ("account", "flow", "key")
);
--> statement-breakpoint
create index "work_by_state" on "work" ("account", "state", "lane", "since_ms");
--> statement-breakpoint
create trigger audit_gives_numbers before insert on audit for each row execute function audit_number_given();
--> statement-breakpoint
create trigger audit_refuses_change before update or delete on audit for each row execute function audit_refuses();
--> statement-breakpoint
create trigger audit_refuses_truncate before truncate on audit for each statement execute function audit_refuses();
