import { migrations } from './index.ts'

const textOfAll = (): string => migrations.flatMap((statements) => statements()).join(';\n')

/** The names of the tables that the migrations make. */
export const madeTables = (): string[] =>
  Array.from(textOfAll().matchAll(/^\s*create table "(\w+)"/gm), ([, name = '']) => name)

/** The triggers that the migrations make, with their tables. */
export const madeTriggers = (): { readonly name: string; readonly table: string }[] =>
  Array.from(
    textOfAll().matchAll(/^\s*create trigger "(\w+)"[^"]* on "(\w+)"/gm),
    ([, name = '', table = '']) => ({ name, table }),
  )
