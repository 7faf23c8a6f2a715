/** @module-tag full */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { startChromium } from '@openfountain/testing/browser/chromium'
import { openRegistry, token } from '@openfountain/core'
import { afterAll, beforeAll, expect, inject, onTestFinished, test, vi } from 'vitest'
import { blocksOf } from '../packages/blocks.ts'
import { run, type Ended } from '../packages/command.ts'
import { install, plainEnvironment, type Consumer } from '../packages/consumer.ts'
import { root } from '../packages/folders.ts'
import { responsesTo, expectedResponses } from './conversation.ts'

// Most tests here wait for other programs, however long those take.
vi.setConfig({ testTimeout: 900_000, hookTimeout: 900_000 })

const publicHost = 'fountains.example'
const publicUrl = `https://${publicHost}`

/** An app of Next with TypeScript, as somebody has it before the registry comes in. */
const hostPackages = [
  'next@16.4.6',
  'react@19.3.1',
  'react-dom@19.3.1',
  'typescript@5.9.3',
  '@types/node@24.10.1',
  '@types/react@19.3.0',
]
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

/** The files that the guide says to add. */
async function guideFiles(): Promise<Record<string, string>> {
  const blocks = blocksOf(await readFile(join(root, 'docs/guides/embedding.md'), 'utf8'))
  return Object.fromEntries(
    blocks.flatMap(({ words: [path = ''], code }) => {
      if (path === 'examples/accounts.ts') return [['lib/accounts.ts', code]]
      return path.startsWith('examples/next/') ? [[path.slice('examples/next/'.length), code]] : []
    }),
  )
}

let folder: string
let app: Consumer
let built: Ended
let secret: string
let port: number
let stop: () => Promise<void>
const env = { ...plainEnvironment, NEXT_TELEMETRY_DISABLED: '1' }
const next = 'node_modules/next/dist/bin/next'

/** Starts the app, which browsers reach at the given address. */
async function start(at: string): Promise<void> {
  const child = spawn(process.execPath, [next, 'start', '--hostname', '127.0.0.1', '--port', '0'], {
    cwd: app.folder,
    env: { ...env, PUBLIC_URL: at },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  stop = async () => {
    child.kill()
    await ended
  }
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
  folder = await mkdtemp(join(tmpdir(), 'openfountain-next-'))
  const own = inject('tarballs').filter(({ name }) =>
    ['@openfountain/core', '@openfountain/server'].includes(name),
  )
  app = await install(join(folder, 'app'), [...own.map(({ file }) => file), ...hostPackages])
  for (const [path, code] of Object.entries({ ...hostFiles, ...(await guideFiles()) })) {
    await mkdir(dirname(join(app.folder, path)), { recursive: true })
    await app.write(path, code)
  }
  built = await run(process.execPath, [next, 'build'], { cwd: app.folder, env })
})

afterAll(async () => {
  await stop?.()
  await rm(folder, { recursive: true, force: true })
})

/** Asks as a proxy does that hands the public host on. */
function throughProxy(
  path: string,
  { method = 'GET', headers = {}, body = '' }: { method?: string; headers?: object; body?: string },
): Promise<{ status: number | undefined; text: string }> {
  return new Promise((resolve, reject) => {
    const options = { host: '127.0.0.1', port, path, method, headers: { host: publicHost, ...headers } }
    request(options, (response) => {
      const pieces: Buffer[] = []
      response.on('data', (piece: Buffer) => pieces.push(piece))
      response.on('end', () =>
        resolve({ status: response.statusCode, text: Buffer.concat(pieces).toString('utf8') }),
      )
    })
      .on('error', reject)
      .end(body)
  })
}

test('a Next app as in the guide builds, its types are right, and building makes no database', async () => {
  expect(built).toMatchObject({ code: 0 })
  expect((await readdir(app.folder)).filter((name) => name.includes('.db'))).toEqual([])
})

test('the registry knows the accounts of the host', async () => {
  const registry = await openRegistry({ database: join(app.folder, 'fountains.db') })
  await registry.waypoints.create({ name: 'Market square', latitude: 55.7029, longitude: 13.1929 }, token())
  secret = (await registry.tokens.create({ name: 'test' })).token
  await registry.close()
  await start(publicUrl)
  const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init)
  expect(await responsesTo(ask, secret)).toEqual(expectedResponses)
  expect((await throughProxy('/', {})).text).toContain('The page of the host')
})

test.each([
  [publicUrl, 201],
  [`http://${publicHost}`, 403],
  ['http://localhost:3000', 403],
  ['https://evil.example', 403],
])('a page of %s gets %i when it writes through a proxy', async (origin, status) => {
  const headers = { origin, cookie: 'login=ada-is-signed-in', 'content-type': 'application/json' }
  const body = JSON.stringify({ bubblerId: 1, rating: 4 })
  expect(await throughProxy('/api/reviews', { method: 'POST', headers, body })).toMatchObject({ status })
})

test.each(['br', 'gzip', 'gzip, deflate, br, zstd'])(
  'a browser that takes %s reads large responses and the interactive reference',
  async (accepted) => {
    for (const path of [
      'openapi',
      'logs',
      'waypoints',
      'docs',
      'docs/swagger-ui.css',
      'docs/swagger-ui-bundle.js',
    ]) {
      const url = `http://127.0.0.1:${port}/api/${path}`
      const plain = await fetch(url, { headers: { 'accept-encoding': 'identity' } })
      const packed = await fetch(url, { headers: { 'accept-encoding': accepted } })
      expect([packed.status, path, await packed.text()]).toEqual([200, path, await plain.text()])
    }
  },
)

/** A proxy in front of the app, which hands on the host that browsers ask for. @returns its port */
async function proxy(): Promise<number> {
  const server = createServer((incoming, response) => {
    const { url: path, method, headers } = incoming
    const forwarded = request({ host: '127.0.0.1', port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers)
      answer.pipe(response)
    })
    forwarded.on('error', () => response.destroy())
    incoming.pipe(forwarded)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

test('a browser writes from the page of the host, behind a proxy with another name, and from no other page', async () => {
  const proxyPort = await proxy()
  await stop()
  await start(`http://${publicHost}:${proxyPort}`)
  const browser = await startChromium(['--host-resolver-rules=MAP *.example 127.0.0.1'])
  onTestFinished(() => browser.close())
  /** The status of a review that a page writes with the session of its visitor, and the rating that is read then. */
  const reviewFrom = async (host: string, rating: number) => {
    const url = `http://${host}:${proxyPort}`
    const context = await browser.newContext()
    await context.addCookies([{ name: 'login', value: 'ada-is-signed-in', url }])
    const page = await context.newPage()
    await page.goto(url)
    expect(await page.textContent('h1')).toBe('The page of the host')
    return page.evaluate(async (stars) => {
      const headers = { 'content-type': 'application/json' }
      const body = JSON.stringify({ bubblerId: 1, rating: stars })
      const { status } = await fetch('/api/reviews', { method: 'POST', headers, body })
      const { reviews } = (await (await fetch('/api/reviews')).json()) as { reviews: { rating: number }[] }
      return [status, reviews.at(-1)?.rating]
    }, rating)
  }
  expect(await reviewFrom(publicHost, 2)).toEqual([201, 2])
  expect(await reviewFrom('other.example', 1)).toEqual([403, 2])
})

const needsNode =
  "openfountain needs Node, and this is an edge runtime or a worker: in Next, write export const runtime = 'nodejs' in the route"

test.each(['edge-light', 'workerd', 'worker'])(
  'a program for %s gets one sentence from each package',
  async (condition) => {
    for (const name of ['core', 'server']) {
      const program = `import('@openfountain/${name}').catch(({ message }) => console.log(message))`
      const args = [`--conditions=${condition}`, '--input-type=module', '--eval', program]
      const { stdout } = await run(process.execPath, args, { cwd: app.folder, env })
      expect(stdout).toBe(`${needsNode}\n`)
    }
  },
)

test.each([
  ['core', 'openRegistry'],
  ['server', 'createApp'],
])(
  'a route for the edge runtime with %s does not build, and the build says what helps',
  async (name, used) => {
    await mkdir(join(app.folder, 'app/edge'), { recursive: true })
    const route = `import { ${used} } from '@openfountain/${name}'
export const runtime = 'edge'
export const GET = (): Response => new Response(${used}.name)
`
    await app.write('app/edge/route.ts', route)
    const { code, stdout, stderr } = await run(process.execPath, [next, 'build'], { cwd: app.folder, env })
    expect(code).toBe(1)
    expect(stdout + stderr).toContain(needsNode)
  },
)
