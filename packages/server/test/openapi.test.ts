import { readFileSync } from 'node:fs'
import { errorCatalogue } from '@openfountain/core'
import { waypointFields } from '@openfountain/core/fields'
import { createConfig, lintFromString } from '@redocly/openapi-core'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import { describe, expect, test } from 'vitest'
import * as server from '../src/index.ts'
import { isReferring } from '../src/property-words.ts'
import { messageOf, statusOf, type ProblemCode } from '../src/problem.ts'
import { type Media, stageOfFile, serving } from '@openfountain/testing/server/stage'

const stage = await stageOfFile({ rateLimit: { perMinute: 1_000_000 } })

const { components } = stage.document
const operations = () =>
  Object.entries(stage.document.paths).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ route, method, operation })),
  )

describe('the OpenAPI document', () => {
  test('is OpenAPI 3.1 and refers to nothing that is not in it', () => {
    expect(stage.document.openapi).toBe('3.1.0')
    // Examples have the addresses of sources.
    const text = JSON.stringify(stage.document, (name, value: unknown) =>
      name === 'example' || name === 'examples' ? undefined : value,
    )
    const referred = [...text.matchAll(/"#\/components\/schemas\/([^"]+)"/g)].map(([, name]) => name)
    expect(referred).toContain('Waypoint')
    expect(referred.filter((name = '') => !(name in components.schemas))).toEqual([])
    expect(text).not.toMatch(/https?:\/\/(?!spdx|www\.opengis\.net\/def\/crs\/)/)
  })

  test('specification 2: names the resources as components', () => {
    expect(Object.keys(components.schemas)).toEqual(
      expect.arrayContaining([
        'Waypoint',
        'PublicUser',
        'OwnUser',
        'Review',
        'LogEntry',
        'LoggedEntry',
        'BoundingBox',
        'Error',
      ]),
    )
  })

  test('has an id, a summary and what is in its path for each operation, each id once', () => {
    const ids = operations().map(({ operation }) => operation.operationId)
    expect(ids).toContain('createWaypoint')
    expect(new Set(ids).size).toBe(ids.length)
    for (const { route, operation } of operations()) {
      expect(operation.summary).toMatch(/\w/)
      const inRoute = [...route.matchAll(/\{(\w+)\}/g)].map(([, name]) => name)
      const declared = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path')
      expect(declared.map(({ name, required }) => required && name)).toEqual(inRoute)
    }
  })

  test('describes parameters in the types that they mean', () => {
    const logs = operations().find(({ route }) => route === '/api/logs')
    const parameters = Object.fromEntries(
      (logs?.operation.parameters ?? []).map(({ name, schema }) => [name, schema]),
    )
    expect(parameters['limit']).toMatchObject({ type: 'integer', minimum: 1, maximum: 100, default: 50 })
    expect(parameters['order']).toMatchObject({ type: 'string', enum: ['asc', 'desc'], default: 'desc' })
    expect(parameters['action']).toMatchObject({ enum: expect.arrayContaining(['created', 'unverified']) })
    for (const { operation } of operations())
      for (const { schema, description } of operation.parameters ?? []) {
        expect(Object.keys(schema)).not.toContain('pattern')
        expect(description).toMatch(/\w/)
      }
  })

  test('asks for credentials exactly where they are needed', () => {
    const open = operations().filter(({ operation }) => operation.security.length === 0)
    // The token of a mail is in the address. A route is read, and too long for an address.
    const posted = open.filter(({ method }) => method !== 'get').map(({ route }) => route)
    expect(posted.toSorted()).toEqual(['/api/unsubscribe', '/api/waypoints/along'])
    const closed = operations().filter(({ operation }) => operation.security.length > 0)
    expect(new Set(closed.map(({ operation }) => '401' in operation.responses))).toEqual(new Set([true]))
    expect(open.some(({ operation }) => '401' in operation.responses)).toBe(false)
  })

  test('describes every property, by the field where it is one', () => {
    const unsaid = new Set<string>()
    const look = (part: unknown, at: string): void => {
      if (typeof part !== 'object' || part === null) return
      for (const [name, each] of Object.entries(part)) {
        if (name === 'example' || name === 'examples') continue
        if (name !== 'properties' || Array.isArray(part)) look(each, `${at}/${name}`)
        else
          for (const [property, schema] of Object.entries(each as object)) {
            if (!('description' in schema) && !isReferring(schema)) unsaid.add(`${at}/${property}`)
            look(schema, `${at}/${property}`)
          }
      }
    }
    look(stage.document, '')
    expect([...unsaid]).toEqual([])
    expect(components.schemas['Waypoint']?.properties?.['season']?.description).toBe(
      waypointFields.season.meaning,
    )
  })

  test('has a real example for each JSON answer, which fits', () => {
    const without = operations().flatMap(({ operation }) =>
      Object.entries(operation.responses).flatMap(([status, response]) => {
        const json = response.content?.['application/json']
        return status.startsWith('2') && json !== undefined && json.example === undefined
          ? [operation.operationId]
          : []
      }),
    )
    expect(without).toEqual([])
    const ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(ajv)
    ajv.addSchema(stage.document, 'api')
    const misfits: string[] = []
    const check = (pointer: string, { example, examples = {} }: Media) => {
      const validate = ajv.compile({
        $ref: `api#/${pointer}/schema`.replaceAll('{', '%7B').replaceAll('}', '%7D'),
      })
      for (const value of [example, ...Object.values(examples).map((each) => each.value)])
        if (value !== undefined && !validate(value))
          misfits.push(`${pointer}: ${ajv.errorsText(validate.errors)}`)
    }
    const named = Object.entries(components.responses).map(
      ([name, response]) => [`components/responses/${name}`, response] as const,
    )
    const own = operations().flatMap(({ route, method, operation }) =>
      Object.entries(operation.responses).map(
        ([status, response]) =>
          [`paths/${route.replaceAll('/', '~1')}/${method}/responses/${status}`, response] as const,
      ),
    )
    for (const [pointer, { content = {} }] of [...named, ...own])
      for (const [type, media] of Object.entries(content))
        check(`${pointer}/content/${type.replaceAll('/', '~1')}`, media)
    expect(misfits).toEqual([])
  })

  test('has the facts of errors by their code', () => {
    expect(components.schemas['InsufficientXpError']).toMatchObject({
      properties: {
        code: { const: 'INSUFFICIENT_XP' },
        details: { properties: { required: { type: 'number' }, current: { type: 'number' } } },
      },
    })
    expect(components.schemas['Error']).toMatchObject({ discriminator: { propertyName: 'code' } })
  })

  test('passes Redocly without a warning', async () => {
    const config = await createConfig({ extends: ['recommended'] })
    const source = JSON.stringify(stage.document)
    const found = await lintFromString({ source, absoluteRef: '/openapi.json', config })
    expect(found.map(({ ruleId, message }) => `${ruleId}: ${message}`)).toEqual([])
  })

  test('describes the rate limit when there is one', async () => {
    for (const { route, operation } of operations()) {
      expect('429' in operation.responses).toBe(route !== '/api/health')
    }
    const { document } = await serving()
    const limited = Object.keys(document.paths).filter((route) =>
      Object.values(document.paths[route] ?? {}).some(({ responses }) => '429' in responses),
    )
    // Always rate-limited: sign-in, reports, writes of new accounts, moderators' reverts and removals.
    const anyway =
      /^\/api\/(?:auth\/|user\/|reports$|reviews$|observations$|waypoints$|waypoints\/\{id\}(?:\/(?:merge|photos))?$|photos(?:\/\{id\})?$|(?:logs|users)\/\{id\}\/revert$|moderation\/(?:acts\/\{id\}\/undo|waypoints)$)/u
    expect(limited.filter((route) => !anyway.test(route))).toEqual([])
    expect(limited).toContain('/api/auth/links/redeem')
  })
})

test('the reference loads nothing from another host, runs nothing inline, and works under a prefix', async () => {
  const page = await stage.ask('GET', '/api/docs')
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|http|\*/)
  expect(page.text).not.toMatch(/https?:|<script>|<style|style=|onload=/)
  const addresses = [...page.text.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, address = '']) => address)
  const loaded = addresses.filter((address) => address !== 'data:,')
  expect(loaded.length).toBeGreaterThan(2)
  for (const address of loaded) {
    expect(address).not.toMatch(/^\//)
    const path = new URL(address, 'http://fountains.test/api/docs').pathname
    expect((await stage.ask('GET', path)).status).toBe(200)
  }
  expect((await stage.ask('GET', '/api/docs/start.js')).text).toContain('validatorUrl: null')
})

test('the reference sends its big script packed, and once', async () => {
  const asked = { headers: { 'accept-encoding': 'gzip' } }
  const script = await stage.raw('GET', '/api/docs/swagger-ui-bundle.js', asked)
  expect(script.headers.get('content-encoding')).toBe('gzip')
  expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8')
  const held = { 'if-none-match': script.headers.get('etag') ?? '' }
  await script.body?.cancel()
  expect((await stage.raw('GET', '/api/docs/swagger-ui-bundle.js', { headers: held })).status).toBe(304)
})

test.each(['package.json', 'index.html', '..%2fpackage.json', 'page', 'document', 'swagger-ui.js.map'])(
  'the reference has no file %s',
  async (name) => {
    expect((await stage.ask('GET', `/api/docs/${name}`)).status).toBe(404)
  },
)

const text = () => readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')

test('docs/api.md names every error code with its status, and every option', () => {
  for (const code of Object.keys(statusOf)) expect(messageOf(code as ProblemCode)).toMatch(/\w{3}/)
  expect(Object.keys(statusOf)).toEqual(expect.arrayContaining(Object.keys(errorCatalogue)))
  const rows = [...text().matchAll(/^\| ([A-Z_]+) +\| (\d{3}) +\|/gmu)]
  const documented = Object.fromEntries(rows.map(([, code, status]) => [code, Number(status)]))
  expect(statusOf).toMatchObject({ ...documented, STORAGE_OLDER: 500, STORAGE_NOT_ERASED: 500 })
  const undocumented = Object.keys(statusOf).filter((code) => !(code in documented))
  expect(undocumented.filter((code) => !/^(?:CHAIN|REGISTRY|STORAGE)_/u.test(code))).toEqual([])
  const options = readFileSync(new URL('../src/options.ts', import.meta.url), 'utf8')
  const names = [...options.matchAll(/^ {2}readonly (\w+)\?:/gm)].map(([, name]) => name)
  expect(names.length).toBeGreaterThan(8)
  for (const name of names) expect(text()).toContain(`\`${name}\``)
})

test.each([
  [{ allowedOrigins: ['map.example'] }, 'allowedOrigins'],
  [{ allowedOrigins: ['https://map.example/'] }, 'allowedOrigins'],
  [{ rateLimit: { perMinute: 0 } }, 'perMinute'],
  [{ stallMilliseconds: 0 }, 'stallMilliseconds'],
])('the options %j are refused by name', (options, name) => {
  expect(() => server.createApp(stage.registry, options)).toThrow(name)
})
