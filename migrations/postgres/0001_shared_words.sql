create function gives_id() returns trigger language plpgsql as $$
begin
  new.id := coalesce(new.id, nextval(tg_table_name || '_id_seq'));
  return new;
end
$$;
--> statement-breakpoint
CREATE TRIGGER gives_id BEFORE INSERT ON messages FOR EACH ROW EXECUTE FUNCTION gives_id();
--> statement-breakpoint
CREATE TRIGGER gives_id BEFORE INSERT ON coverage FOR EACH ROW EXECUTE FUNCTION gives_id();
--> statement-breakpoint
CREATE TRIGGER gives_id BEFORE INSERT ON inbox FOR EACH ROW EXECUTE FUNCTION gives_id();
--> statement-breakpoint
CREATE TRIGGER gives_id BEFORE INSERT ON stock_history FOR EACH ROW EXECUTE FUNCTION gives_id();
--> statement-breakpoint
CREATE TRIGGER gives_id BEFORE INSERT ON audit FOR EACH ROW EXECUTE FUNCTION gives_id();
--> statement-breakpoint
CREATE TRIGGER gives_id BEFORE INSERT ON brake_items FOR EACH ROW EXECUTE FUNCTION gives_id();
--> statement-breakpoint
CREATE TRIGGER gives_id BEFORE INSERT ON brake_plans FOR EACH ROW EXECUTE FUNCTION gives_id();
--> statement-breakpoint
CREATE TRIGGER gives_id BEFORE INSERT ON drifts FOR EACH ROW EXECUTE FUNCTION gives_id();
--> statement-breakpoint
CREATE TRIGGER gives_id BEFORE INSERT ON journal FOR EACH ROW EXECUTE FUNCTION gives_id();
--> statement-breakpoint
CREATE TRIGGER gives_id BEFORE INSERT ON failed_jobs FOR EACH ROW EXECUTE FUNCTION gives_id();
--> statement-breakpoint
CREATE TRIGGER gives_id BEFORE INSERT ON intents FOR EACH ROW EXECUTE FUNCTION gives_id();
--> statement-breakpoint
CREATE TRIGGER gives_id BEFORE INSERT ON mappings FOR EACH ROW EXECUTE FUNCTION gives_id();
--> statement-breakpoint
drop index "erp_orders_by_customer";
--> statement-breakpoint
drop index "erp_orders_by_shop_customer";
--> statement-breakpoint
create operator ->> (leftarg = text, rightarg = text, function = json_extract);
--> statement-breakpoint
create index "erp_orders_by_customer" on "erp_orders" ("account", ("content" ->> '$.customer.id'));
--> statement-breakpoint
create index "erp_orders_by_shop_customer" on "erp_orders" ("account", ("content" ->> '$.customer.marketplaceId'));
--> statement-breakpoint
drop function as_integer(text);
