create table item (
  co          smallint not null,
  item_no     varchar(20) not null,
  descr       varchar(200) not null,
  case_size   smallint not null,
  case_price  decimal(12, 2) not null,
  curr        char(3) not null,
  status      char(1) not null default 'A',
  del         char(1),
  upd         char(19) not null,
  primary key (co, item_no)
);
create table stock_move (
  co          smallint not null,
  item_no     varchar(20) not null,
  seq         int not null,
  kind        char(3) not null,
  cases       decimal(12, 4) not null,
  moved       char(19) not null,
  primary key (co, item_no, seq)
);
create table sales (
  co          smallint not null,
  doc_no      int not null,
  ext_ref     varchar(60),
  cust_name   varchar(200),
  state       varchar(10) not null,
  disc        decimal(14, 4) not null default 0,
  freight     decimal(14, 4) not null default 0,
  tax         decimal(14, 4) not null default 0,
  total       decimal(14, 4) not null default 0,
  memo        text,
  drop_city   varchar(100),
  drop_on     char(10),
  del         char(1),
  upd         char(19) not null,
  primary key (co, doc_no),
  unique (co, ext_ref)
);
create table sales_line (
  co          smallint not null,
  doc_no      int not null,
  line_no     smallint not null,
  item_no     varchar(20) not null,
  cases       decimal(12, 4) not null,
  case_price  decimal(14, 6) not null,
  ext_line    varchar(40),
  out_cases   decimal(12, 4) not null default 0,
  lost_cases  decimal(12, 4) not null default 0,
  primary key (co, doc_no, line_no),
  index (co, item_no)
);
create table number_range (
  co          smallint not null,
  kind        char(2) not null,
  next_no     int not null,
  primary key (co, kind)
);
