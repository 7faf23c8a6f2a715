import { canonicalJson } from '@openfountain/core/internal'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { seed } from '@openfountain/testing/effort'

test('canonical JSON writes the example of RFC 8785, section 3.2.3', () => {
  const text = String.raw`{
    "numbers": [333333333.33333329, 1E30, 4.50, 2e-3, 0.000000000000000000000000001],
    "string": "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\/",
    "literals": [null, true, false]
  }`
  const canonical =
    '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],' +
    String.raw`"string":"€$\u000f\nA'B\"\\\\\"/"}`
  expect(canonicalJson(JSON.parse(text))).toBe(canonical)
})

// IEEE 754 bits and their text by RFC 8785, appendix B.
test.each([
  ['0000000000000000', '0'],
  ['8000000000000000', '0'],
  ['0000000000000001', '5e-324'],
  ['4340000000000000', '9007199254740992'],
  ['44b52d02c7e14af6', '1e+23'],
  ['444b1ae4d6e2ef4f', '999999999999999900000'],
  ['444b1ae4d6e2ef50', '1e+21'],
  ['3eb0c6f7a0b5ed8d', '0.000001'],
  ['41b3de4355555555', '333333333.3333333'],
  ['becbf647612f3696', '-0.0000033333333333333333'],
])('canonical JSON writes the number %s as %s', (bits, text) => {
  expect(canonicalJson([Buffer.from(bits, 'hex').readDoubleBE()])).toBe(`[${text}]`)
})

test('canonical JSON has members in code unit order, whatever their names', () => {
  expect(canonicalJson({ b: 1, 10: 'x', 9: [null, { z: 1, a: 'é' }], a: undefined })).toBe(
    '{"10":"x","9":[null,{"a":"é","z":1}],"b":1}',
  )
  expect(canonicalJson(JSON.parse('{"b":[1,"2"],"__proto__":{"y":1,"x":2}}'))).toBe(
    '{"__proto__":{"x":2,"y":1},"b":[1,"2"]}',
  )
  const expected = (value: unknown): string => {
    if (Array.isArray(value)) return `[${value.map(expected).join(',')}]`
    if (typeof value !== 'object' || value === null) return JSON.stringify(value)
    const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1))
    return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${expected(member)}`).join(',')}}`
  }
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(value)).toBe(expected(value))
    }),
    { seed },
  )
})
