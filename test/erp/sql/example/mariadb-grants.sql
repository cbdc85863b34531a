create user bridge identified by 'a password of its own';
grant select on warenwirtschaft.* to bridge;
grant insert on warenwirtschaft.artikel to bridge;
grant insert on warenwirtschaft.kunde to bridge;
grant insert, update on warenwirtschaft.auftrag to bridge;
grant insert, delete on warenwirtschaft.auftrag_pos to bridge;
