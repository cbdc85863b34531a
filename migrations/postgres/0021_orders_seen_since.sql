alter table "erp_orders" add column "changed_tick" bigint not null default 0;
