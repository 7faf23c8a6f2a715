import Database from 'better-sqlite3'

/** The point 8°, 47° as a GeoPackage has it. */
const point = `x'4750000100000000010100000000000000000020400000000000804740'`

/**
 * The bytes of a GeoPackage with a table `fountains`.
 *
 * @param columns of the table, as SQL; the first three must be `id`, `geom` and `name`
 * @param names of its rows, as SQL expressions
 * @param change what is done to it last
 */
export function geoPackage(
  columns: string,
  names: readonly string[],
  change: (database: Database.Database) => unknown = () => {},
): Uint8Array {
  const database = new Database(':memory:')
  try {
    database.exec(`
      create table gpkg_spatial_ref_sys (srs_id integer primary key, organization text, organization_coordsys_id integer);
      create table gpkg_contents (table_name text primary key, data_type text);
      create table gpkg_geometry_columns (table_name text, column_name text, srs_id integer);
      insert into gpkg_spatial_ref_sys values (4326, 'EPSG', 4326);
      insert into gpkg_contents values ('fountains', 'features');
      insert into gpkg_geometry_columns values ('fountains', 'geom', 4326);
      create table fountains (${columns})`)
    for (const name of names) database.exec(`insert into fountains (geom, name) values (${point}, ${name})`)
    change(database)
    return database.serialize()
  } finally {
    database.close()
  }
}
