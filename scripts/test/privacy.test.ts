import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { root } from '../packages/folders.ts'

function sourceFiles(folder: string): string[] {
  const files = readdirSync(path.join(root, folder), { recursive: true, encoding: 'utf8' })
  const sources = files.filter((file) => /\.(?:tsx?|astro)$/u.test(file))
  return sources.map((file) => readFileSync(path.join(root, folder, file), 'utf8'))
}

const sourcesIn = (folder: string): string => sourceFiles(folder).join('\n')

/** The keys under which a source stores values in the browser; constants are resolved within the same source. */
function storedKeys(source: string): string[] {
  // Within `store` itself the key is a parameter. The outbox's has one argument.
  if (source.includes('export function store(')) return []
  const written = source.matchAll(/(?:Storage\.setItem|\bstore)\(\s*(?:'([^']+)'|(\w+)\b(?!\)))/gu)
  return [...written].flatMap(([call, literal, constant]) => {
    if (literal !== undefined) return [literal]
    const declared = new RegExp(`^const ${constant} = (\\{[^}]*\\}|.*)`, 'mu').exec(source)?.[1] ?? ''
    const names = [...declared.matchAll(/'([^']+)'/gu)].map(([, name = '']) => name)
    if (names.length === 0) throw new Error(`What ${call} stores is not declared beside it`)
    return names
  })
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
  const keys = sourceFiles('site/src').flatMap(storedKeys)
  const ofAccounts = 'account account-id account-keeper account-moderator desk-keys draft:'
  const others = 'first-task language observe-near outbox passers-by photo-license return theme'
  expect([...new Set(keys)].toSorted().join(' ')).toBe(`${ofAccounts} ${others}`)
  expect(keys.filter((name) => !privacy.includes(`\`${name}${name.endsWith(':') ? '…' : ''}\``))).toEqual([])
  expect(privacy).toContain('`openfountain … outbox`')
  const stores = found(site, /(\w+Storage|indexedDB|caches)\.(?:setItem|open)\(/gu)
  expect(stores).toEqual(['caches', 'indexedDB', 'localStorage'])
})
