/**
 * The tables that the GeoPackage standard prescribes, with the names and constraints of its annex C:
 * https://www.geopackage.org/spec130/#table_definition_sql
 */
export const geopackageTables = `
CREATE TABLE gpkg_spatial_ref_sys (
  srs_name TEXT NOT NULL,
  srs_id INTEGER PRIMARY KEY,
  organization TEXT NOT NULL,
  organization_coordsys_id INTEGER NOT NULL,
  definition TEXT NOT NULL,
  description TEXT
);
CREATE TABLE gpkg_contents (
  table_name TEXT NOT NULL PRIMARY KEY,
  data_type TEXT NOT NULL,
  identifier TEXT UNIQUE,
  description TEXT DEFAULT '',
  last_change DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  min_x DOUBLE,
  min_y DOUBLE,
  max_x DOUBLE,
  max_y DOUBLE,
  srs_id INTEGER,
  CONSTRAINT fk_gc_r_srs_id FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys(srs_id)
);
CREATE TABLE gpkg_geometry_columns (
  table_name TEXT NOT NULL,
  column_name TEXT NOT NULL,
  geometry_type_name TEXT NOT NULL,
  srs_id INTEGER NOT NULL,
  z TINYINT NOT NULL,
  m TINYINT NOT NULL,
  CONSTRAINT pk_geom_cols PRIMARY KEY (table_name, column_name),
  CONSTRAINT uk_gc_table_name UNIQUE (table_name),
  CONSTRAINT fk_gc_tn FOREIGN KEY (table_name) REFERENCES gpkg_contents(table_name),
  CONSTRAINT fk_gc_srs FOREIGN KEY (srs_id) REFERENCES gpkg_spatial_ref_sys (srs_id)
);
CREATE TABLE gpkg_extensions (
  table_name TEXT,
  column_name TEXT,
  extension_name TEXT NOT NULL,
  definition TEXT NOT NULL,
  scope TEXT NOT NULL,
  CONSTRAINT ge_tce UNIQUE (table_name, column_name, extension_name)
);
CREATE TABLE gpkg_metadata (
  id INTEGER CONSTRAINT m_pk PRIMARY KEY ASC NOT NULL,
  md_scope TEXT NOT NULL DEFAULT 'dataset',
  md_standard_uri TEXT NOT NULL,
  mime_type TEXT NOT NULL DEFAULT 'text/xml',
  metadata TEXT NOT NULL DEFAULT ''
);
CREATE TABLE gpkg_metadata_reference (
  reference_scope TEXT NOT NULL,
  table_name TEXT,
  column_name TEXT,
  row_id_value INTEGER,
  timestamp DATETIME NOT NULL DEFAULT (strftime('%Y-%m-%dT%H:%M:%fZ','now')),
  md_file_id INTEGER NOT NULL,
  md_parent_id INTEGER,
  CONSTRAINT crmr_mfi_fk FOREIGN KEY (md_file_id) REFERENCES gpkg_metadata(id),
  CONSTRAINT crmr_mpi_fk FOREIGN KEY (md_parent_id) REFERENCES gpkg_metadata(id)
);
CREATE TABLE gpkg_data_columns (
  table_name TEXT NOT NULL,
  column_name TEXT NOT NULL,
  name TEXT,
  title TEXT,
  description TEXT,
  mime_type TEXT,
  constraint_name TEXT,
  CONSTRAINT pk_gdc PRIMARY KEY (table_name, column_name),
  CONSTRAINT gdc_tn UNIQUE (table_name, name)
);
CREATE TABLE gpkg_data_column_constraints (
  constraint_name TEXT NOT NULL,
  constraint_type TEXT NOT NULL,
  value TEXT,
  min NUMERIC,
  min_is_inclusive BOOLEAN,
  max NUMERIC,
  max_is_inclusive BOOLEAN,
  description TEXT,
  CONSTRAINT gdcc_ntv UNIQUE (constraint_name, constraint_type, value)
);`

/** The three systems that every GeoPackage lists: WGS 84, and the two undefined ones. */
export const spatialReferenceSystems = `
INSERT INTO gpkg_spatial_ref_sys VALUES
  ('WGS 84 geodetic', 4326, 'EPSG', 4326, 'GEOGCS["WGS 84",DATUM["WGS_1984",SPHEROID["WGS 84",6378137,298.257223563,' ||
    'AUTHORITY["EPSG","7030"]],AUTHORITY["EPSG","6326"]],PRIMEM["Greenwich",0,AUTHORITY["EPSG","8901"]],' ||
    'UNIT["degree",0.0174532925199433,AUTHORITY["EPSG","9122"]],AXIS["Latitude",NORTH],AXIS["Longitude",EAST],' ||
    'AUTHORITY["EPSG","4326"]]', 'longitude and latitude in decimal degrees on the WGS 84 spheroid'),
  ('Undefined cartesian SRS', -1, 'NONE', -1, 'undefined', 'undefined cartesian coordinate reference system'),
  ('Undefined geographic SRS', 0, 'NONE', 0, 'undefined', 'undefined geographic coordinate reference system')`

const standard = 'http://www.geopackage.org/spec130/'

/** The rows of gpkg_extensions for features with spatial index, metadata and documented columns. */
export const extensions = [
  ['waypoints', 'geom', 'gpkg_rtree_index', `${standard}#extension_rtree`, 'write-only'],
  ['gpkg_metadata', null, 'gpkg_metadata', `${standard}#extension_metadata`, 'read-write'],
  ['gpkg_metadata_reference', null, 'gpkg_metadata', `${standard}#extension_metadata`, 'read-write'],
  ['gpkg_data_columns', null, 'gpkg_schema', `${standard}#extension_schema`, 'read-write'],
  ['gpkg_data_column_constraints', null, 'gpkg_schema', `${standard}#extension_schema`, 'read-write'],
]

const present = '(NEW.geom NOT NULL AND NOT ST_IsEmpty(NEW.geom))'
const absent = '(NEW.geom ISNULL OR ST_IsEmpty(NEW.geom))'
const remove = 'DELETE FROM rtree_waypoints_geom WHERE'
const put =
  'INSERT OR REPLACE INTO rtree_waypoints_geom VALUES ' +
  '(NEW.id, ST_MinX(NEW.geom), ST_MaxX(NEW.geom), ST_MinY(NEW.geom), ST_MaxY(NEW.geom));'

/** The triggers that keep the spatial index when others edit the file: annex F.3 of the standard. */
export const rtreeTriggers = [
  ['insert', 'INSERT', present, put],
  ['update1', 'UPDATE OF geom', `OLD.id = NEW.id AND ${present}`, put],
  ['update2', 'UPDATE OF geom', `OLD.id = NEW.id AND ${absent}`, `${remove} id = OLD.id;`],
  ['update3', 'UPDATE', `OLD.id != NEW.id AND ${present}`, `${remove} id = OLD.id; ${put}`],
  ['update4', 'UPDATE', `OLD.id != NEW.id AND ${absent}`, `${remove} id IN (OLD.id, NEW.id);`],
  ['delete', 'DELETE', 'OLD.geom NOT NULL', `${remove} id = OLD.id;`],
]
  .map(
    ([name, event, condition, body]) =>
      `CREATE TRIGGER rtree_waypoints_geom_${name} AFTER ${event} ON waypoints WHEN ${condition} BEGIN ${body} END;`,
  )
  .join('\n')
