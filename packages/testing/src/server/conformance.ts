import assert from 'node:assert/strict'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

interface Operation {
  readonly responses: Readonly<
    Record<
      string,
      {
        readonly content?: Readonly<Record<string, unknown>>
        readonly headers?: Readonly<Record<string, unknown>>
      }
    >
  >
}

export interface ApiDocument {
  readonly openapi: string
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

/** Answers without a declared operation: unknown paths and methods, and OPTIONS. */
const undeclared: Readonly<Record<'method' | 'path', readonly number[]>> = {
  method: [404, 405],
  path: [400, 404, 405],
}

/** The text of an answer's body, decompressed; the answer can be read again. */
export async function textOf(response: Response): Promise<string> {
  const bytes = new Uint8Array(await response.clone().arrayBuffer())
  const encoding = response.headers.get('content-encoding')
  if (encoding === 'br') return brotliDecompressSync(bytes).toString()
  if (encoding === 'gzip') return gunzipSync(bytes).toString()
  return Buffer.from(bytes).toString()
}

/** Checks answers against an OpenAPI document: their status must be declared, and their body must match its schema. */
export class Conformance {
  readonly #document: ApiDocument
  readonly #ajv: Ajv2020
  readonly #patterns: readonly { readonly route: string; readonly pattern: RegExp }[]
  readonly #validators = new Map<string, ValidateFunction>()

  constructor(document: ApiDocument) {
    this.#document = document
    this.#ajv = new Ajv2020({ strict: false, allErrors: true })
    addFormats.default(this.#ajv)
    this.#ajv.addSchema(document, 'api')
    this.#patterns = Object.keys(document.paths)
      .toSorted((a, b) => Number(a.includes('{')) - Number(b.includes('{')))
      .map((route) => ({ route, pattern: new RegExp(`^${route.replaceAll(/\{\w+\}/g, '[^/]+')}/?$`) }))
  }

  /** @throws an assertion error with the request and the mismatch of its answer */
  async check(method: string, path: string, response: Response): Promise<void> {
    const pathname = path.split('?')[0] ?? ''
    const asked = `${method} ${path.slice(0, 200)} answered ${response.status}`
    if (method === 'OPTIONS' && response.status === 204) return
    const route = this.#patterns.find(({ pattern }) => pattern.test(pathname))?.route
    const operation = route && this.#document.paths[route]?.[method === 'HEAD' ? 'get' : method.toLowerCase()]
    if (response.status >= 400) {
      const [type, schema] = `${pathname}/`.startsWith('/ogc/')
        ? ['application/problem+json', 'ProblemDocument']
        : ['application/json; charset=utf-8', pathname.startsWith('/open311/') ? 'GeoReportErrors' : 'Error']
      assert.equal(response.headers.get('content-type'), type, asked)
      if (method !== 'HEAD') await this.#fits(`api#/components/schemas/${schema}`, response, asked)
      if (!operation) {
        const usual = route === undefined ? undeclared.path : undeclared.method
        assert.ok(usual.includes(response.status), asked)
        return
      }
    }
    if (!operation || route === undefined) {
      assert.match(pathname, /^\/api\/docs\//, `${asked}, which is not declared`)
      return
    }
    const declared = operation.responses[response.status]
    assert.ok(declared, `${asked}, which is not declared`)
    if ('Location' in (declared.headers ?? {}))
      assert.ok(response.headers.get('location'), `${asked} without Location`)
    if (response.status >= 300 || method === 'HEAD' || route.startsWith('/api/exports/')) return
    if (declared.content === undefined) {
      assert.equal(await textOf(response), '', `${asked} with a body, which is not declared`)
      return
    }
    const [type = ''] = (response.headers.get('content-type') ?? '').split(';')
    const types = Object.keys(declared.content).map((each) => each.split(';')[0])
    assert.ok(types.includes(type), `${asked} as ${type}, which is not declared`)
    if (type !== 'application/json') return
    const pointer = `paths/${route.replaceAll('/', '~1')}/${method.toLowerCase()}/responses/${response.status}`
    await this.#fits(`api#/${pointer}/content/application~1json/schema`, response, asked)
  }

  async #fits(reference: string, response: Response, asked: string): Promise<void> {
    let validate = this.#validators.get(reference)
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: reference.replaceAll('{', '%7B').replaceAll('}', '%7D') })
      this.#validators.set(reference, validate)
    }
    const body: unknown = JSON.parse(await textOf(response))
    const fits = validate(body)
    const why = fits ? '' : this.#ajv.errorsText(validate.errors)
    assert.ok(fits, `${asked} with ${JSON.stringify(body).slice(0, 500)}: ${why}`)
  }
}
