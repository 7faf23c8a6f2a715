/** Texts are compared by code point. */
export const text = 'text collate "C"'

/** Refuses what a trigger found, with its argument as the reason. */
export const guards = [
  `create function "refuse"() returns trigger language plpgsql as $$
    begin raise exception '%', TG_ARGV[0]; end $$`,
]

/** A trigger for a table whose rows keep their ids. */
export const keepsIds = (table: string): string =>
  `create trigger "${table}RefuseMove" before update on "${table}" for each row when (new.id <> old.id)
    execute function "refuse"('${table} keep their ids')`

/** Triggers for a table that loses no row. */
export const neverDeleted = (table: string, reason: string): string[] => [
  `create trigger "${table}RefuseDelete" before delete on "${table}" for each row
    execute function "refuse"('${table} ${reason}')`,
  `create trigger "${table}RefuseTruncate" before truncate on "${table}" for each statement
    execute function "refuse"('${table} ${reason}')`,
]

/** A condition for a column that has JSON of one kind. */
export const isJson = (column: string, type: 'object' | 'array'): string =>
  `(json_typeof("${column}"::json) = '${type}')`
