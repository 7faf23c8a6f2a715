import { expect, test } from 'vitest'
import { addressIn } from '../src/email-address.ts'

test.each([
  ['ada@example.org', 'mailto:ada@example.org', 'ada@example.org', 'ada@example.org'],
  ['  Ada@Example.ORG\n', 'mailto:ada@example.org', 'Ada@Example.ORG', 'Ada@example.org'],
  ['ada+tag@example.org', 'mailto:ada+tag@example.org', 'ada+tag@example.org', 'ada+tag@example.org'],
  [
    'ada@bücher.example',
    'mailto:ada@xn--bcher-kva.example',
    'ada@bücher.example',
    'ada@xn--bcher-kva.example',
  ],
  [
    'ada@BU\u0308CHER.example',
    'mailto:ada@xn--bcher-kva.example',
    'ada@B\u00DCCHER.example',
    'ada@xn--bcher-kva.example',
  ],
  ['Zoe\u0308@example.org', 'mailto:zo\u00EB@example.org', 'Zo\u00EB@example.org', 'Zo\u00EB@example.org'],
  ['ada@例え。テスト', 'mailto:ada@xn--r8jz45g.xn--zckzah', 'ada@例え。テスト', 'ada@xn--r8jz45g.xn--zckzah'],
  ['ada@e\u034Fｘample.org', 'mailto:ada@example.org', 'ada@e\u034Fｘample.org', 'ada@example.org'],
  ['ada@localhost', 'mailto:ada@localhost', 'ada@localhost', 'ada@localhost'],
])('%j is found by %s', (given, key, shown, mailbox) => {
  expect(addressIn(given)).toEqual({ key, shown, mailbox })
})

test.each([
  '',
  '@example.org',
  'ada@',
  'ada',
  'ada@example.org, eve@example.org',
  'ada@example.org eve@example.org',
  'ada@evil.example@example.org',
  '"ada@evil.example"@example.org',
  'ada<eve@example.org>',
  'eve@example.org\r\nBcc: ada@example.org',
  'ada\u0000@example.org',
  'ada\u202Eeve@example.org',
  'a\u034Fda@example.org',
  'ａda@example.org',
  '.ada@example.org',
  'a..da@example.org',
  'ada@127.0.0.1',
  'ada@[127.0.0.1]',
  'ada@2130706433',
  'ada@exa%6Dple.org',
  'ada@example.org.',
  'ada@exam ple.org',
  `${'a'.repeat(65)}@example.org`,
  `ada@${'a.'.repeat(130)}org`,
  'ada@\uD800.example',
  7,
  null,
  undefined,
  ['ada@example.org'],
])('%j is no address', (given) => {
  expect(addressIn(given)).toBeUndefined()
})
