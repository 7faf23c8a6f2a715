import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { openRegistry } from '@openfountain/core'
import { exchanges } from '@openfountain/testing/record/answers'
import { begin, end } from '@openfountain/testing/record/story'
import Database from 'better-sqlite3'
import { Problem, problemResponse, statusOf, type ProblemCode } from '../../packages/server/src/problem.ts'
import { type Exchanged, waysIn } from './ways-story.ts'

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId?: string }>>>>
}

/** Entries of a list that an example shows. */
const shown = 2

/** A body whose lists of objects are cut. */
function short(value: unknown): unknown {
  if (Array.isArray(value)) {
    const isOfObjects = value.every(
      (each) => typeof each === 'object' && each !== null && !Array.isArray(each),
    )
    return (isOfObjects ? value.slice(0, shown) : value).map(short)
  }
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, short(each)]))
}

/** Values that are random at each run: challenges, handles, ids of credentials and sessions. */
const random = /:"[\w-]{22,}"/gu

/** Facts of refusals that the story does not meet. */
const facts: { readonly [Code in ProblemCode]?: object } = {
  RATE_LIMITED: { limit: 600, windowSeconds: 60, retryAfterSeconds: 12 },
  CLOCK_BEHIND: { now: '2026-06-01T08:00:00.000Z', newest: '2026-06-03T08:00:00.000Z' },
}

/** The text of a file with the answers to the requests of the record, by operation and status, and of the errors by code. */
export async function examples(document: string): Promise<string> {
  const { paths } = JSON.parse(document) as Document
  const operations = Object.entries(paths)
    .toSorted(([one], [other]) => Number(one.includes('{')) - Number(other.includes('{')))
    .map(([route, methods]) => ({
      methods,
      pattern: new RegExp(`^${route.replaceAll(/\{\w+\}/gu, '[^/]+')}$`, 'u'),
    }))
  const answers: Record<string, Record<string, unknown>> = {}
  const errors: Record<string, unknown> = {}
  const folder = await mkdtemp(path.join(tmpdir(), 'openfountain-examples-'))
  const database = path.join(folder, 'fountains.db')
  await openRegistry({ database }).then((registry) => registry.close())
  const file = new Database(database)
  const key = '0123456789abcdef'
  file.exec(`update "state" set "placeKey" = '${key.repeat(4)}', "origin" = '${key.repeat(2)}'`)
  file.close()
  const story = await begin(database, 8, folder)
  const note = ({ method, path: asked, response, text }: Exchanged): void => {
    const isJson = /^application\/(?:json|problem\+json)/u.test(response.headers.get('content-type') ?? '')
    if (!isJson || text === '') return
    const body = short(
      JSON.parse(
        text
          .replaceAll('"timeStamp":"…"', '"timeStamp":"2026-06-01T08:00:00Z"')
          // Addresses of example.org are those that tests look for.
          .replaceAll('@example.org', '@fountains.example'),
      ),
    )
    const { pathname } = new URL(asked, 'http://localhost')
    if (response.status >= 400) {
      if (!pathname.startsWith('/ogc')) errors[(body as { code: string }).code] ??= body
      return
    }
    const found = operations.find(({ pattern }) => pattern.test(pathname))
    const name = found?.methods[method.toLowerCase()]?.operationId
    if (name === undefined || (body !== null && typeof body === 'object' && 'success' in body)) return
    const known = (answers[name] ??= {})
    known[response.status] ??= body
  }
  try {
    for (const kind of ['writes', 'reads'] as const) {
      for await (const each of exchanges(story, kind)) note(each)
      if (kind === 'writes') await end(story)
    }
    for await (const each of waysIn(path.join(folder, 'ways.db')))
      note({ ...each, text: each.text.replaceAll(random, ':"…"') })
  } finally {
    await story.registry.close()
    await rm(folder, { recursive: true, force: true })
  }
  for (const code of Object.keys(statusOf) as ProblemCode[]) {
    const problem = new Problem(code, { details: { ...facts[code] } })
    const { error, code: sent, details } = problemResponse(problem, '4LvzdWyk-1')
    errors[sent] ??= { error, code: sent, details }
  }
  const inOrder = (all: object) =>
    Object.fromEntries(Object.entries(all).toSorted(([one], [other]) => (one < other ? -1 : 1)))
  return `${JSON.stringify({ answers: inOrder(answers), errors: inOrder(errors) }, undefined, 2)}\n`
}
