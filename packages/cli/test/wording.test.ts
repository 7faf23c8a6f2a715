import { refusals, type ImportNote, type Refusal, type RefusalCode } from '@openfountain/exchange'
import {
  ExportFolderError,
  SiteOptionError,
  type ExportProblem,
  type ExportProblemCode,
} from '@openfountain/site'
import { expect, test } from 'vitest'
import { exportCommand } from '../src/commands/export.ts'
import { importCommand } from '../src/commands/import.ts'
import { siteBuild } from '../src/commands/publish.ts'
import { fileRemedies, noteText, rowRemedies } from '../src/wording/import.ts'
import { instanceText } from '../src/commands/mirror.ts'
import { exportFolderFailure, siteOptionFailure } from '../src/site-options.ts'

const worded: { readonly [Code in RefusalCode]?: Refusal<Code> } = {
  TOO_LARGE: { code: 'TOO_LARGE' },
  NO_COORDINATES: { code: 'NO_COORDINATES', rows: 1, reason: { code: 'NO_POSITION' } },
  CRS_UNKNOWN: { code: 'CRS_UNKNOWN', row: 1, x: 2_600_000, y: 1_200_000, possible: ['UTM', 'EPSG:2056'] },
  SWAPPED: { code: 'SWAPPED', evidence: 'far-from-known', swapped: 3, of: 4 },
  ENCODING_UNKNOWN: { code: 'ENCODING_UNKNOWN', encoding: 'klingon' },
  MAP: { code: 'MAP' },
  REVIEW: { code: 'REVIEW' },
  SHEET_UNKNOWN: { code: 'SHEET_UNKNOWN', sheet: 'C', sheets: ['A', 'B'] },
  STOPPED: { code: 'STOPPED' },
  NOTHING_TO_RESUME: { code: 'NOTHING_TO_RESUME' },
  NOT_WRITABLE: { code: 'NOT_WRITABLE', files: ['a.csv.rejected.ndjson'] },
}

function remedyOf<Code extends RefusalCode>(code: Code): string | undefined {
  const example: Refusal<Code> | undefined = worded[code]
  const remedy: ((refusal: Refusal<Code>) => string) | undefined = fileRemedies[code]
  return example === undefined ? undefined : remedy?.(example)
}

test('refusals of an import have the words of the command where an option helps, and each that is named is one of it', () => {
  const codes = Object.keys(refusals) as RefusalCode[]
  for (const code of codes) {
    if (worded[code] === undefined) expect(fileRemedies[code], code).toBeUndefined()
    else expect(remedyOf(code), code).toMatch(/--[a-z]+.*\.$/u)
  }
  const texts = [...codes.map(remedyOf), ...Object.values(rowRemedies)].filter((text) => text != null)
  const named = texts.flatMap((text) => text.match(/--[a-z-]+/gu) ?? [])
  expect(new Set(named).size).toBeGreaterThan(5)
  for (const option of named) expect(Object.keys(importCommand.options)).toContain(option.slice(2))
  // The remedy proposes a coordinate system that puts the position on Earth.
  expect(remedyOf('CRS_UNKNOWN')).toContain('--crs EPSG:2056')
})

const sources = ['Bern', 'Genf', 'Lund', 'Malmö', 'Paris', 'Wien']
const fields = [
  { name: 'colour', rows: 12 },
  { name: 'height', rows: 1 },
]

test.each<[ImportNote, string]>([
  [{ code: 'SOURCES_NAMED', sources }, 'came from Bern, Genf, Lund, Malmö, Paris and others.'],
  [{ code: 'PROPERTIES_LEFT_OUT', fields }, 'Left out: colour in 12 rows, height in 1 row.'],
  [
    { code: 'COLUMNS_LACKING', columns: ['nr', 'typ'] },
    'The map names "nr", "typ": the file has no such columns,',
  ],
])('the note %j of an import has its words', (note, text) => {
  expect(noteText(note)).toContain(text)
})

const url = 'https://fountains.example/api/logs/head'

test('errors of an instance have their words', () => {
  expect(instanceText({ code: 'BAD_STATUS', url, status: 404 })).toContain(
    'is this the address of an instance?',
  )
  const issues = [{ path: 'head.id', message: 'expected number' }]
  expect(instanceText({ code: 'BAD_RESPONSE', url, issues })).toContain('expected: head.id: expected number')
})

const [folder, file, reason] = ['/exports', '/exports/stats.json', 'no reason']

/** One problem for each code; the type checker asks for every code. */
const exportProblems: { readonly [Code in ExportProblemCode]: ExportProblem<Code> } = {
  UNREADABLE_FOLDER: { code: 'UNREADABLE_FOLDER', folder, path: folder, reason },
  EMPTY: { code: 'EMPTY', folder },
  NOT_AN_EXPORT: { code: 'NOT_AN_EXPORT', folder },
  DIFFERENCE: { code: 'DIFFERENCE', folder },
  INCOMPLETE: { code: 'INCOMPLETE', folder, missing: ['stats.json'] },
  NEWER_FORMAT: { code: 'NEWER_FORMAT', folder, format: 2, newest: 1 },
  INVALID_DESCRIPTION: { code: 'INVALID_DESCRIPTION', file, reason },
  OTHER_SIZE: { code: 'OTHER_SIZE', folder, file, bytes: 1, described: 2 },
  UNREADABLE_FILE: { code: 'UNREADABLE_FILE', file, line: 1, reason },
  NOT_JSON: { code: 'NOT_JSON', file, reason },
  INVALID_RECORD: { code: 'INVALID_RECORD', file, member: 'reviews[0]', reason },
}

test.each(Object.values(exportProblems))(
  'what site build says of $code names no option that export lacks',
  (problem) => {
    const error = new ExportFolderError(problem)
    const failure = exportFolderFailure(error)
    expect(error.message).not.toContain('--')
    expect(failure.message.startsWith(error.found)).toBe(true)
    expect(failure.details).toMatchObject({ problem: problem.code, ...error.details })
    for (const option of failure.message.match(/--[a-z-]+/gu) ?? [])
      expect(Object.keys(exportCommand.options)).toContain(option.slice(2))
  },
)

test('what site build says of an invalid option names it as the command does', () => {
  const error = new SiteOptionError({ code: 'OUT_IS_FILE', option: 'out', out: '/site' })
  expect(error.message).toBe('out: /site is a file; give a folder')
  expect(siteOptionFailure(error).message).toBe('--out: /site is a file; give a folder')
  expect(Object.keys(siteBuild.options)).toContain(error.option)
})
