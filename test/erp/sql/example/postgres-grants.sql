create role bridge login password 'a password of its own';
grant select on artikel, lager, kunde, auftrag, auftrag_pos to bridge;
grant insert on artikel, kunde, auftrag, auftrag_pos to bridge;
grant update on auftrag to bridge;
grant delete on auftrag_pos to bridge;
grant usage on sequence kunde_kd_id_seq, auftrag_auf_id_seq to bridge;
