/** A value that better-sqlite3 binds and returns. */
export type Value = string | number | bigint | Uint8Array | null

/** Values by the names of a query's parameters. */
export type Values = Readonly<Record<string, Value | undefined>>
