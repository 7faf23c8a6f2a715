import {
  refusals,
  type ImportNote,
  type InstanceErrorCode,
  type InstanceFailure,
  type NoteCode,
  type Refusal,
  type RefusalCode,
} from '@openfountain/exchange'
import {
  ExportFolderError,
  SiteOptionError,
  type ExportProblem,
  type ExportProblemCode,
} from '@openfountain/site'
import { describe, expect, test } from 'vitest'
import { exportCommand } from '../src/commands/export.ts'
import { importCommand } from '../src/commands/import.ts'
import { siteBuild } from '../src/commands/site.ts'
import { fileRemedies, noteText, rowRemedies } from '../src/wording/import.ts'
import { instanceText } from '../src/wording/mirror.ts'
import { exportFolderFailure, siteOptionFailure } from '../src/wording/site.ts'

/** Refusals whose remedies are words of the command; the type checker asks for every code. */
const worded: { readonly [Code in RefusalCode]: Refusal<Code> | undefined } = {
  NOT_FOUND: undefined,
  EMPTY: undefined,
  BINARY: undefined,
  ARCHIVE: undefined,
  HTML: undefined,
  UNKNOWN_FORMAT: undefined,
  TRUNCATED: undefined,
  MALFORMED: undefined,
  TOO_LARGE: { code: 'TOO_LARGE' },
  TOO_DEEP: undefined,
  ENTITIES: undefined,
  BOMB: undefined,
  NO_ROWS: undefined,
  NO_COORDINATES: { code: 'NO_COORDINATES', rows: 1, reason: { code: 'NO_POSITION' } },
  CRS_UNKNOWN: { code: 'CRS_UNKNOWN', row: 1, x: 2_600_000, y: 1_200_000, possible: ['UTM', 'EPSG:2056'] },
  SWAPPED: { code: 'SWAPPED', evidence: 'far-from-known', swapped: 3, of: 4 },
  ENCODING_UNKNOWN: { code: 'ENCODING_UNKNOWN', encoding: 'klingon' },
  MAP: { code: 'MAP' },
  REVIEW: { code: 'REVIEW' },
  STOPPED: { code: 'STOPPED' },
  NOTHING_TO_RESUME: { code: 'NOTHING_TO_RESUME' },
  NOT_WRITABLE: { code: 'NOT_WRITABLE', files: ['a.csv.rejected.ndjson'] },
}

function remedyOf<Code extends RefusalCode>(code: Code): string | undefined {
  const example: Refusal<Code> | undefined = worded[code]
  const remedy: ((refusal: Refusal<Code>) => string) | null = fileRemedies[code]
  return example === undefined ? undefined : remedy?.(example)
}

const codes = Object.keys(refusals) as RefusalCode[]

describe('what the import command says about a refusal', () => {
  test.each(codes)('%s has the words of the command, or of the library where no option helps', (code) => {
    const remedy = remedyOf(code)
    if (remedy === undefined) expect(fileRemedies[code]).toBeNull()
    else expect(remedy).toMatch(/--[a-z]+.*\.$/u)
  })

  test('every option that is named is one of the command', () => {
    const texts = [...codes.map(remedyOf), ...Object.values(rowRemedies)].filter((text) => text != null)
    const named = texts.flatMap((text) => text.match(/--[a-z-]+/gu) ?? [])
    expect(new Set(named).size).toBeGreaterThan(5)
    for (const option of named) expect(Object.keys(importCommand.options)).toContain(option.slice(2))
  })

  test('a coordinate system in which the place is on Earth is the one that is proposed', () => {
    expect(remedyOf('CRS_UNKNOWN')).toContain('--crs EPSG:2056')
  })
})

const sources = ['Bern', 'Genf', 'Lund', 'Malmö', 'Paris', 'Wien']

/** One of each, and its words; the type checker asks for every code. */
const notes: { readonly [Code in NoteCode]: readonly [ImportNote<Code>, string] } = {
  NOT_UTF8: [
    { code: 'NOT_UTF8', encoding: 'windows-1252' },
    'Read as Windows-1252 (Latin-1), since it is not UTF-8.',
  ],
  MIXED_ENCODING: [
    { code: 'MIXED_ENCODING', characters: 3, encoding: 'windows-1252' },
    '3 characters of the UTF-8 text are not UTF-8; they were read as Windows-1252 (Latin-1).',
  ],
  TABLE_NOT_READ: [
    { code: 'TABLE_NOT_READ', table: 'taps', crs: 'EPSG:2056' },
    'Table taps is in EPSG:2056 and was not read; import it from a file of its own.',
  ],
  WAYS_NOT_READ: [{ code: 'WAYS_NOT_READ', ways: 2 }, '2 routes and tracks of the file are not read.'],
  LINKS_NOT_FOLLOWED: [
    { code: 'LINKS_NOT_FOLLOWED', links: 2 },
    '2 links to other KML files are not followed; import those files themselves.',
  ],
  SOURCES_NAMED: [
    { code: 'SOURCES_NAMED', sources },
    'Rows of this export came from Bern, Genf, Lund, Malmö, Paris and others. An import records one source for all ' +
      'its rows: to keep them apart, import each source by itself with a map that has "only" and "ref": "source_refs".',
  ],
  PROPERTIES_LEFT_OUT: [
    {
      code: 'PROPERTIES_LEFT_OUT',
      fields: [
        { name: 'colour', rows: 12 },
        { name: 'height', rows: 1 },
      ],
    },
    'Left out: colour in 12 rows, height in 1 row. The registry does not declare these custom fields (--properties names ' +
      'the file that does), or their columns have values that they cannot have.',
  ],
  REFERENCE_PROPOSED: [
    { code: 'REFERENCE_PROPOSED', column: 'idgis', example: 'FN-1' },
    'No column of references was recognised. "idgis" is filled and different in every row (FN-1): if it is the ' +
      'source\'s own number of each fountain, give --reference "idgis", so that later imports find each one again ' +
      'wherever it moved.',
  ],
  ROWS_ELSEWHERE: [
    { code: 'ROWS_ELSEWHERE', folder: '/home/ada', instead: '/mnt/data' },
    'Refused and doubtful rows are written to /home/ada, since /mnt/data is not your folder, or cannot be written; ' +
      '--rejected and --doubtful name other files.',
  ],
  DECISIONS_NOT_READ: [
    { code: 'DECISIONS_NOT_READ', file: 'taps.csv.review.csv' },
    'taps.csv.review.csv has decisions that this import did not read, and is left as it is; --review taps.csv.review.csv ' +
      'reads them.',
  ],
  CRS_UNKNOWN: [
    { code: 'CRS_UNKNOWN', crs: 'EPSG:99999' },
    'The file declares the coordinate system "EPSG:99999", which is not known.',
  ],
  DEGREES_BELIEVED: [
    { code: 'DEGREES_BELIEVED', rows: 4, crs: 'EPSG:2056' },
    '4 rows are in degrees although EPSG:2056 is declared; the numbers were believed.',
  ],
  METRES_BELIEVED: [
    { code: 'METRES_BELIEVED', rows: 4 },
    '4 rows are in metres although degrees are declared; the numbers were believed.',
  ],
  BEYOND_POLE: [
    { code: 'BEYOND_POLE', rows: 4 },
    '4 rows are beyond the poles; were latitude and longitude swapped, they would not be.',
  ],
}

const url = 'https://fountains.example/api/logs/head'

const failures: { readonly [Code in InstanceErrorCode]: readonly [InstanceFailure<Code>, string] } = {
  UNREACHABLE: [
    { code: 'UNREACHABLE', url, message: 'connect ECONNREFUSED' },
    `${url} cannot be reached: connect ECONNREFUSED`,
  ],
  BAD_STATUS: [
    { code: 'BAD_STATUS', url, status: 404 },
    `${url} returned 404: is this the address of an instance?`,
  ],
  REDIRECTED: [
    { code: 'REDIRECTED', url, location: 'https://elsewhere.example/' },
    `${url} leads to https://elsewhere.example/, which is not followed: give that address if you trust it`,
  ],
  TOO_LARGE: [{ code: 'TOO_LARGE', url, bytes: 67_108_864 }, `${url} returns more than 67,108,864 bytes`],
  TOO_SLOW: [{ code: 'TOO_SLOW', url, seconds: 60 }, `${url} was not complete after 60 seconds`],
  BAD_RESPONSE: [
    {
      code: 'BAD_RESPONSE',
      url,
      issues: [
        { path: 'head.id', message: 'expected number' },
        { path: '', message: 'too much' },
      ],
    },
    `${url} does not return what is expected: head.id: expected number; too much`,
  ],
}

describe('codes with facts', () => {
  test.each(Object.values(notes))('the note $code of an import has its words', (note, text) => {
    expect(noteText(note)).toBe(text)
  })

  test('a note names all sources when they are few', () => {
    const text = noteText({ code: 'SOURCES_NAMED', sources: sources.slice(0, 5) })
    expect(text).toMatch(/^Rows of this export came from Bern, Genf, Lund, Malmö, Paris\. An import/u)
  })

  test.each(Object.values(failures))('the error $code of an instance has its words', (failure, text) => {
    expect(instanceText(failure)).toBe(text)
  })
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

describe('what site build says', () => {
  test.each(Object.values(exportProblems))('of $code names no option that export lacks', (problem) => {
    const error = new ExportFolderError(problem)
    const failure = exportFolderFailure(error)
    expect(error.message).not.toContain('--')
    expect(failure.message.startsWith(error.found)).toBe(true)
    expect(failure.details).toMatchObject({ problem: problem.code, ...error.details })
    for (const option of failure.message.match(/--[a-z-]+/gu) ?? [])
      expect(Object.keys(exportCommand.options)).toContain(option.slice(2))
  })

  test('of an invalid option names it as the command does', () => {
    const error = new SiteOptionError({ code: 'OUT_IS_FILE', option: 'out', out: '/site' })
    expect(error.message).toBe('out: /site is a file; give a folder')
    expect(siteOptionFailure(error).message).toBe('--out: /site is a file; give a folder')
    expect(Object.keys(siteBuild.options)).toContain(error.option)
    const busy = new SiteOptionError({ code: 'OUT_BUSY', option: 'out', out: '/site' })
    expect(siteOptionFailure(busy)).toMatchObject({ exit: 'busy', details: { problem: 'OUT_BUSY' } })
  })
})
