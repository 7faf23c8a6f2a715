import { describe, expect, test } from 'vitest'
import { fold, text } from '../src/schemas/text.ts'

/** A character that no shortcut for Latin letters takes. */
const far = '水'
const characters = Array.from({ length: 0x370 }, (_, unit) => String.fromCharCode(unit))

describe('texts of Latin letters take a shortcut', () => {
  test('and fold as they do beside others', () => {
    for (const each of characters) {
      const given = `${each}A${each} \u00a0 Straße${each}`
      expect(fold(given), JSON.stringify(each)).toBe(fold(`${given}${far}`).slice(0, -1).trim())
    }
    expect(fold('  ÅNGSTRÖM\u00a0\u00a0Łódź  İı Œuvre ¨ ')).toBe('angstrom lodz ii oeuvre')
  })

  test('and are tidied, refused and counted as they are beside others', () => {
    const schema = text({ max: 5, trim: true })
    for (const each of characters) {
      const alone = schema.safeParse(`a${each}b`)
      const beside = schema.safeParse(`a${each}b${far}`)
      expect(alone.success, JSON.stringify(each)).toBe(beside.success)
      expect(alone.data, JSON.stringify(each)).toBe(beside.data?.slice(0, -1))
    }
    expect(schema.safeParse('\u0085').success).toBe(false)
    expect(schema.safeParse(' ÄÖÜß\u00a0').data).toBe('ÄÖÜß')
    expect(schema.safeParse('ÄÖÜßéé').success).toBe(false)
  })
})
