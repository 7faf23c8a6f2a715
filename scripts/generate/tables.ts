import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  areaFields,
  reviewFields,
  sourceFields,
  statisticsFields,
  waypointFields as described,
  type Field,
  type Fields,
} from '@openfountain/core/fields'
import { limits } from '@openfountain/core/rules'
import { formats, waypointFields } from '@openfountain/exchange'
import { readMapFile, type MapFile } from '../../packages/exchange/src/import/understand/columns.ts'
import { readyMaps } from '../../packages/exchange/src/import/understand/ready-maps.ts'
import { root } from '../packages/folders.ts'

/** The tables of hand-written pages, generated from the lists in the code. */

const page = 'docs/data.md'

/** A table in Markdown, with oxfmt's alignment of cells. */
export function table(heading: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [heading, ...rows]
  const widths = heading.map((_, column) => Math.max(3, ...all.map((row) => (row[column] ?? '').length)))
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => (cells[column] ?? '').padEnd(width)).join(' | ')} |`
  return [line(heading), line(widths.map((width) => '-'.repeat(width))), ...rows.map(line)].join('\n')
}

const columns = () =>
  table(
    ['column', 'type', 'unit', 'meaning'],
    waypointFields.map((field) => [
      `\`${field.name}\``,
      field.type,
      field.unit ?? '',
      field.required ? field.meaning : `${field.meaning} (may be empty)`,
    ]),
  )

const files = () =>
  table(
    ['name', 'file', 'media type', 'holds', 'loses'],
    formats.map(({ name, file, mediaType, holds, loses }) => [
      `\`${name}\``,
      file,
      `\`${mediaType}\``,
      holds,
      loses,
    ]),
  )

/** The text with the table of the same heading replaced. @throws Error when there is none */
export function withTable(text: string, made: string): string {
  const headingOf = (line: string) =>
    line
      .split('|')
      .map((cell) => cell.trim())
      .join('|')
  const wanted = headingOf(made.slice(0, made.indexOf('\n')))
  const lines = text.split('\n')
  const start = lines.findIndex((line) => headingOf(line) === wanted)
  if (start === -1) throw new Error(`There is no table ${wanted}`)
  const length = lines.slice(start).findIndex((line) => !line.startsWith('|'))
  return lines.toSpliced(start, length === -1 ? lines.length : length, made).join('\n')
}

/** The page of data files, with its tables of columns and of files. */
export async function dataPage(): Promise<readonly [string, string]> {
  const text = await readFile(join(root, page), 'utf8')
  return [page, [columns(), files()].reduce(withTable, text)]
}

const code = (text: string): string => `\`${text}\``

const readBy = ({ fields }: MapFile): string =>
  fields === undefined
    ? 'tags and headings, without a column of its own'
    : Object.entries(fields)
        .flatMap(([field, from]) =>
          from === null ? [] : [`${field}: ${[from].flat().map(code).join(', ')}`],
        )
        .join('; ')

function leftBy({ fields = {}, leaveOut = {}, only = {} }: MapFile): string {
  const unread = Object.entries(fields).flatMap(([field, from]) => (from === null ? [field] : []))
  return [
    ...(unread.length > 0 ? [`no ${unread.join(', ')}`] : []),
    ...Object.entries(leaveOut).map(
      ([column, values]) => `rows with ${code(column)}${values === true ? '' : ` ${values.join(', ')}`}`,
    ),
    ...Object.entries(only).map(([column, values]) =>
      typeof values === 'boolean'
        ? `rows ${values ? 'without' : 'with'} ${code(column)}`
        : `rows whose ${code(column)} is not ${values.join(', ')}`,
    ),
  ].join('; ')
}

/** The page of imports, with its table of ready-made maps. */
export async function importingPage(): Promise<readonly [string, string]> {
  const path = 'docs/importing.md'
  const maps = await Promise.all(
    (await readyMaps()).map(async ({ name, path: file }) => ({ name, map: await readMapFile(file) })),
  )
  const rows = maps.map(({ name, map }) => [code(name), map.title ?? '', readBy(map), leftBy(map)])
  return [
    path,
    withTable(await readFile(join(root, path), 'utf8'), table(['map', 'file', 'reads', 'leaves'], rows)),
  ]
}

const jsonTypes: Readonly<Record<Field['type'], string>> = {
  id: 'number',
  text: 'string',
  address: 'string',
  choice: 'string',
  season: 'string',
  degrees: 'number',
  words: 'string[]',
  flag: 'boolean',
  whole: 'number',
  user: 'string',
  time: 'string',
  rings: 'array',
  object: 'object',
  properties: 'object',
}

const setBy: Readonly<Record<Field['setBy'], string>> = {
  editors: '',
  moderators: 'set by moderators and API tokens',
  tokens: 'set by API tokens',
  nobody: 'set by the registry',
}

const count = (number = 0) => number.toLocaleString('en')

/** The rule for the values of a field, in words. */
function rule({ type, optional, meaning, unit, maxLength, values = [], ...field }: Field): string {
  const length =
    optional === true
      ? `up to ${count(maxLength)} characters`
      : `1 to ${count(maxLength)} characters after trimming`
  const form: Partial<Record<Field['type'], string>> = {
    text: maxLength === undefined ? '' : length,
    whole: unit ?? '',
    address: `an absolute \`http:\` or \`https:\` address of up to ${count(limits.imageUrl)} characters`,
    choice: `one of ${values.map((value) => `\`${value}\``).join(', ')}`,
    properties: `numbers, texts of up to ${count(limits.properties.text)} characters, flags, and lists of up to ${limits.properties.entries} texts; at most ${limits.properties.members}, and ${count(limits.properties.json)} characters as JSON`,
    season: '`MM-DD/MM-DD`, days that exist',
    words: `always present; up to ${limits.amenities} of up to ${limits.amenity} characters each`,
  }
  const isRequired = field.setBy === 'editors' && optional !== true && type !== 'words'
  const parts = [meaning, isRequired ? 'required' : '', form[type] ?? '', setBy[field.setBy]]
  return parts.filter((part) => part !== '').join('; ')
}

/** The fields of a noun; the heading identifies the table on its page. */
const rules = (heading: string, fields: Fields) =>
  table(
    [heading, 'Type', 'Rule'],
    Object.entries(fields).map(([name, field]) => [`\`${name}\``, jsonTypes[field.type], rule(field)]),
  )

/** The specification, with its tables of the fields of each noun. */
export async function specificationPage(): Promise<readonly [string, string]> {
  const path = 'docs/specification.md'
  const text = await readFile(join(root, path), 'utf8')
  const tables = [
    rules('Field', described),
    rules('Field of a review', reviewFields),
    rules('Field of a bounding box', areaFields),
    rules('Field of a source', sourceFields),
    rules('Counter', statisticsFields),
  ]
  return [path, tables.reduce(withTable, text)]
}
