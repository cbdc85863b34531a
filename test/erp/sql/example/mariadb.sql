create table artikel (
  art_id     int primary key auto_increment,
  artnr      varchar(60) not null unique,
  bez        varchar(200) not null,
  beschr     text,
  vk_cent    int not null,
  gesperrt   tinyint not null default 0,
  ve         decimal(10, 3) not null default 1,
  geaendert  datetime not null default current_timestamp on update current_timestamp
);
create table lager (
  art_id     int not null references artikel (art_id),
  ort        varchar(20) not null,
  bestand    decimal(14, 4) not null,
  primary key (art_id, ort)
);
create table kunde (
  kd_id      int auto_increment primary key,
  name       varchar(200) not null,
  mail       varchar(200),
  markt_id   bigint unique,
  geaendert  datetime not null default current_timestamp on update current_timestamp
);
create table auftrag (
  auf_id     int auto_increment primary key,
  markt_nr   varchar(60) unique,
  kd_name    varchar(200),
  status     tinyint not null default 0,
  rabatt     decimal(14, 4) not null default 0,
  fracht     decimal(14, 4) not null default 0,
  steuer     decimal(14, 4) not null default 0,
  summe      decimal(14, 4) not null default 0,
  bemerkung  text,
  geaendert  datetime not null default current_timestamp on update current_timestamp
);
create table auftrag_pos (
  auf_id     int not null references auftrag (auf_id),
  pos        int not null,
  art_id     int not null references artikel (art_id),
  menge      decimal(14, 4) not null,
  preis      decimal(14, 4) not null,
  geliefert  decimal(14, 4) not null default 0,
  entfallen  decimal(14, 4) not null default 0,
  primary key (auf_id, pos)
);
