create table artikel (
  art_id     integer primary key,
  artnr      text not null unique,
  bez        text not null,
  beschr     text,
  vk_cent    integer not null,
  gesperrt   boolean not null default false,
  ve         numeric(10, 3) not null default 1,
  geaendert  timestamp not null default now()
);
create table lager (
  art_id     integer not null references artikel,
  ort        text not null,
  bestand    numeric(14, 4) not null,
  primary key (art_id, ort)
);
create table kunde (
  kd_id      serial primary key,
  name       text not null,
  mail       text,
  markt_id   bigint unique,
  geaendert  timestamp not null default now()
);
create table auftrag (
  auf_id     serial primary key,
  markt_nr   text unique,
  kd_name    text,
  status     smallint not null default 0,
  rabatt     numeric(14, 4) not null default 0,
  fracht     numeric(14, 4) not null default 0,
  steuer     numeric(14, 4) not null default 0,
  summe      numeric(14, 4) not null default 0,
  bemerkung  text,
  geaendert  timestamp not null default now()
);
create table auftrag_pos (
  auf_id     integer not null references auftrag,
  pos        integer not null,
  art_id     integer not null references artikel,
  menge      numeric(14, 4) not null,
  preis      numeric(14, 4) not null,
  geliefert  numeric(14, 4) not null default 0,
  entfallen  numeric(14, 4) not null default 0,
  primary key (auf_id, pos)
);
create index on auftrag_pos (art_id);
