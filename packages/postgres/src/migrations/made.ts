import { migrations } from './index.ts'

/** The objects made by the migrations, in an order in which they can be dropped. */
export function made(): { readonly kind: string; readonly name: string }[] {
  const text = migrations.flatMap((statements) => statements()).join(';\n')
  const found = [...text.matchAll(/^\s*create (?<kind>table|view|function) "(?<name>\w+)"/gm)]
  return found
    .map(({ groups }) => ({ kind: groups?.['kind'] ?? '', name: groups?.['name'] ?? '' }))
    .toReversed()
}

/** The triggers that the migrations make, with their tables. */
export function madeTriggers(): { readonly name: string; readonly table: string }[] {
  const text = migrations.flatMap((statements) => statements()).join(';\n')
  const found = text.matchAll(/^\s*create trigger "(?<name>\w+)"[^"]* on "(?<table>\w+)"/gm)
  return [...found].map(({ groups }) => ({ name: groups?.['name'] ?? '', table: groups?.['table'] ?? '' }))
}

/** The names of the tables of a registry. */
export const ownTables = (): string[] => [
  'registry',
  ...made().flatMap(({ kind, name }) => (kind === 'table' ? [name] : [])),
]
