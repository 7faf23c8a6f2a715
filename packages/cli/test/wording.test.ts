import { refusals, type Refusal, type RefusalCode } from '@openfountain/exchange'
import { describe, expect, test } from 'vitest'
import { importCommand } from '../src/commands/import.ts'
import { fileRemedies, rowRemedies } from '../src/wording/import.ts'

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
