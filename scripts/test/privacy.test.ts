import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../packages/folders.ts'

/** The text of all sources below a folder. */
function sourcesIn(folder: string): string {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => /\.(?:ts|astro)$/u.test(file))
  return sources.map((file) => readFileSync(path.join(root, folder, file), 'utf8')).join('\n')
}

const found = (text: string, pattern: RegExp): string[] =>
  [...new Set([...text.matchAll(pattern)].map(([, name = '']) => name))].toSorted()

const privacy = readFileSync(path.join(root, 'docs/privacy.md'), 'utf8')

test('docs/privacy.md names every cookie that the server sets', () => {
  const cookies = found(sourcesIn('packages/server/src'), /(?:setCookie|CeremonyCookie)\('([^']+)'/gu)
  expect(cookies).toEqual(['passkey', 'provider', 'session', 'signin'])
  expect(cookies.filter((name) => !privacy.includes(`\`${name}\``))).toEqual([])
})

test('docs/privacy.md names everything that the site keeps in a browser', () => {
  const site = sourcesIn('site/src')
  const keys = found(site, /(?:localStorage|sessionStorage)\.\w+Item\('([^']+)'/gu)
  expect(keys).toEqual(expect.arrayContaining(['account', 'language', 'theme']))
  // The keys of who is signed in have names of their own.
  const ofPerson = found(site, /^const keys = \{ name: '([^']+)'/gmu).concat(
    found(site, /^const keys = \{ name: '[^']+', id: '([^']+)'/gmu),
  )
  expect(ofPerson).toEqual(['account', 'account-id'])
  expect([...keys, ...ofPerson].filter((name) => !privacy.includes(`\`${name}\``))).toEqual([])
  expect(privacy).toContain('`openfountain … outbox`')
  const stores = found(site, /(\w+Storage|indexedDB|caches)\.(?:setItem|open)\(/gu)
  expect(stores).toEqual(['caches', 'indexedDB', 'localStorage'])
})
