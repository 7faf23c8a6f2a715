/**
 * The version of the schema before the first migration, of both engines: databases with a lower one have a format that is
 * no longer read. Until 1.0 it is raised above the newest version whenever a table changes in place.
 */
export const epoch = 613
