/** @module-tag full */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { openRegistry, token } from '@openfountain/core'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { newFolder } from '@openfountain/testing/folder'
import { blocksOf } from '../packages/blocks.ts'
import { run, type Ended } from '../packages/command.ts'
import { install, plainEnvironment, type Consumer } from '../packages/consumer.ts'
import { root } from '../packages/folders.ts'
import { responsesTo, expectedResponses } from './conversation.ts'

vi.setConfig({ hookTimeout: 300_000 })

const publicHost = 'fountains.example'
const publicUrl = `https://${publicHost}`

const hostPackages =
  'next@16.4.6 react@19.3.1 react-dom@19.3.1 typescript@5.9.3 @types/node@24.10.1 @types/react@19.3.0'
const hostFiles = {
  'app/layout.tsx': `import type { ReactNode } from 'react'
export default function Layout({ children }: { children: ReactNode }) {
  return <html lang="en"><body>{children}</body></html>
}
`,
  'app/page.tsx': `export default function Page() {
  return <h1>The page of the host</h1>
}
`,
}

let app: Consumer
let built: Ended
let port: number
let stop: (() => Promise<unknown>) | undefined
const env = { ...plainEnvironment, NEXT_TELEMETRY_DISABLED: '1' }
const next = (...args: string[]): string[] => ['node_modules/next/dist/bin/next', ...args]
const build = (): Promise<Ended> => run(process.execPath, next('build'), { cwd: app.folder, env })

async function start(): Promise<void> {
  const child = spawn(process.execPath, next('start', '--hostname', '127.0.0.1', '--port', '0'), {
    cwd: app.folder,
    env: { ...env, PUBLIC_URL: publicUrl },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  stop = () => (child.kill(), ended)
  for await (const line of createInterface({ input: child.stdout })) {
    const [, found] = /http:\/\/127\.0\.0\.1:(\d+)/u.exec(line) ?? []
    if (found === undefined) continue
    port = Number(found)
    child.stdout.resume()
    return
  }
  throw new Error('next start ended without listening')
}

beforeAll(async () => {
  const names = new Set(['@openfountain/core', '@openfountain/server'])
  const own = inject('tarballs').flatMap(({ name, file }) => (names.has(name) ? [file] : []))
  app = await install(join(newFolder(), 'app'), [...own, ...hostPackages.split(' ')])
  const guide = blocksOf(await readFile(join(root, 'docs/guides/embedding.md'), 'utf8'))
  const added = guide.flatMap(({ words: [path = ''], code }) => {
    if (path === 'examples/accounts.ts') return [['lib/accounts.ts', code] as const]
    return path.startsWith('examples/next/') ? [[path.slice('examples/next/'.length), code] as const] : []
  })
  for (const [path, code] of [...Object.entries(hostFiles), ...added]) {
    await mkdir(dirname(join(app.folder, path)), { recursive: true })
    await app.write(path, code)
  }
  built = await build()
})
afterAll(() => stop?.())

function throughProxy(
  path: string,
  { method = 'GET', headers = {}, body = '' } = {},
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, headers: { host: publicHost, ...headers } }
    request(options, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece: string) => (text += piece))
      response.on('end', () => resolve({ status: response.statusCode, text }))
    })
      .on('error', reject)
      .end(body)
  })
}

test('a Next app as in the guide builds, its types are right, building makes no database, and the registry knows the accounts of the host', async () => {
  expect(built).toMatchObject({ code: 0 })
  expect((await readdir(app.folder)).filter((name) => name.includes('.db'))).toEqual([])
  const registry = await openRegistry({ database: join(app.folder, 'fountains.db') })
  await registry.waypoints.create({ name: 'Market square', latitude: 55.7029, longitude: 13.1929 }, token())
  const { token: secret } = await registry.tokens.create({ name: 'test' })
  await registry.close()
  await start()
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  expect(await responsesTo(ask, secret)).toEqual(expectedResponses)
  expect((await throughProxy('/')).text).toContain('The page of the host')
})

test.each([
  [publicUrl, 201],
  [`http://${publicHost}`, 403],
  ['https://evil.example', 403],
])('a page of %s gets %i when it writes through a proxy', async (origin, status) => {
  const headers = { origin, cookie: 'login=ada-is-signed-in', 'content-type': 'application/json' }
  const body = JSON.stringify({ bubblerId: 1, rating: 4 })
  expect(await throughProxy('/api/reviews', { method: 'POST', headers, body })).toMatchObject({ status })
})

test('a browser reads large responses and the interactive reference, compressed', async () => {
  for (const path of ['openapi', 'logs', 'docs', 'docs/swagger-ui-bundle.js']) {
    const url = `http://127.0.0.1:${port}/api/${path}`
    const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
    const packed = await fetch(url, { headers: { 'accept-encoding': 'gzip, deflate, br, zstd' } })
    expect([packed.status, path, await packed.text()]).toEqual([200, path, await plain.text()])
  }
})

const needsNode =
  "openfountain needs Node, and this is an edge runtime or a worker: in Next, write export const runtime = 'nodejs' in the route"

test('a route for the edge runtime does not build, and the build says what helps', async () => {
  await mkdir(join(app.folder, 'app/edge'), { recursive: true })
  const route = `import { createApp } from '@openfountain/server'
export const runtime = 'edge'
export const GET = (): Response => new Response(createApp.name)
`
  await app.write('app/edge/route.ts', route)
  const { code, stdout, stderr } = await build()
  expect(code).toBe(1)
  expect(stdout + stderr).toContain(needsNode)
})
