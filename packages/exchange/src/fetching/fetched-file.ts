import { createHash } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdtemp, open, readFile, rename, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { unescape } from 'node:querystring'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fetching } from '@openfountain/core/rules'
import type { Understanding } from '../import/report.ts'
import { type AnswerPage, pageOf } from './answer-pages.ts'
import { FetchRefused, guardedFetch, namedAddress, type FetchOptions } from '@openfountain/core/internal'

export interface FetchFileOptions extends Omit<FetchOptions, 'headers' | 'secrets'> {
  /** Headers with something secret, which the host of the address alone gets. */
  readonly secretHeaders?: Readonly<Record<string, string>> | undefined
  /** The most bytes, of all pages. Default `fetching.megabytes` of `rules.ts`. */
  readonly maxBytes?: number | undefined
  /** Validators of an earlier answer: an unchanged file is not fetched again. */
  readonly known?: Pick<FetchedFile, 'etag' | 'lastModified'> | undefined
  /** Waits before another try. Default a timer. */
  readonly pause?: ((seconds: number, signal?: AbortSignal) => Promise<unknown>) | undefined
  readonly onProgress?: ((progress: { readonly bytes: number; readonly pages: number }) => void) | undefined
}

/** The file of an address, in a temporary folder that disposing removes. */
export interface FetchedFile extends AsyncDisposable {
  readonly file: string
  /** The address that answered, after redirects. */
  readonly url: string
  readonly pages: number
  /** Rows and total, where the pages have fewer rows than their total. */
  readonly partial?: NonNullable<Understanding['partial']>
  /** For the next question; absent where it came in pages. */
  readonly etag?: string
  readonly lastModified?: string
}

const pageBytes = 64 * 2 ** 20
const passing = new Set([408, 425, 429, 500, 502, 503, 504])

/** Whether another try may help, and after how many seconds at least. */
function pauseFor(error: unknown, tries: number): number | undefined {
  if (!(error instanceof FetchRefused)) return undefined
  const { refusal } = error
  const backoff = fetching.pauseSeconds * 2 ** tries
  if (refusal.code === 'UNREACHABLE' || refusal.code === 'TOO_SLOW') return backoff
  if (refusal.code !== 'STATUS' || !passing.has(refusal.status)) return undefined
  const seconds = Math.max(backoff, refusal.retryAfterSeconds ?? 0)
  return seconds > fetching.longestPauseSeconds ? undefined : seconds
}

function retryAfter(value: string | null): number | undefined {
  if (value === null) return undefined
  const seconds = /^\d+$/u.test(value) ? Number(value) : (Date.parse(value) - Date.now()) / 1000
  return Number.isFinite(seconds) ? Math.max(0, Math.ceil(seconds)) : undefined
}

/** The name of the file that an address leads to, without what a file name cannot have. */
const nameIn = ({ pathname, hostname }: URL): string => {
  const last = unescape(pathname.split('/').findLast((part) => part !== '') ?? hostname)
  const plain = last.replaceAll(/[^\p{L}\p{N}._-]+/gu, '_').replace(/^\.+/u, '')
  return plain.slice(0, 100) || 'answer'
}

/**
 * Fetches the file of an address: guarded, tried again when it fails for a while, within limits of time and size. Where a
 * portal answers in pages, all of them make one file: those of ArcGIS, CKAN, Opendatasoft, Socrata, OData, web feature
 * services (GML or JSON) and OGC API Features.
 *
 * @returns the file, for `importFile` with its `file` and `partial`; undefined when nothing changed since `known`
 * @throws FetchRefused
 */
export async function fetchFile(
  address: string,
  options: FetchFileOptions = {},
): Promise<FetchedFile | undefined> {
  const { known, pause = (seconds, by) => sleep(seconds * 1000, undefined, { signal: by }) } = options
  const { maxBytes = fetching.megabytes * 1e6, onProgress, secretHeaders = {} } = options
  const secrets = { origin: namedAddress(address, options).origin, headers: secretHeaders }
  const limit = AbortSignal.timeout(fetching.minutes * 60_000)
  const signal = AbortSignal.any([limit, ...(options.signal === undefined ? [] : [options.signal])])
  const folder = await mkdtemp(path.join(tmpdir(), 'openfountain-fetched-'))
  const dispose = () => rm(folder, { recursive: true, force: true })
  let bytes = 0
  let pages = 0
  const take = async (url: string, file: string, headers: Record<string, string>) => {
    const response = await guardedFetch(url, { ...options, secrets, signal, headers })
    const { status, body } = response
    if (status !== 200) body.destroy()
    const isAsked = 'if-none-match' in headers || 'if-modified-since' in headers
    if (status === 304 && isAsked) return undefined
    if (status !== 200) {
      const retryAfterSeconds = retryAfter(response.headers.get('retry-after'))
      const wait = retryAfterSeconds === undefined ? {} : { retryAfterSeconds }
      throw new FetchRefused({ code: 'STATUS', url: response.url, status, ...wait })
    }
    let taken = 0
    const counted = async function* (parts: AsyncIterable<Uint8Array>) {
      for await (const part of parts) {
        taken += part.length
        if (bytes + taken > maxBytes) throw new FetchRefused({ code: 'TOO_LARGE', url, bytes: maxBytes })
        onProgress?.({ bytes: bytes + taken, pages })
        yield part
      }
    }
    await pipeline(body, counted, createWriteStream(file, { mode: 0o600 })).catch((error: unknown) => {
      if (error instanceof FetchRefused || signal.aborted) throw error
      throw new FetchRefused({ code: 'UNREACHABLE', url, reason: (error as Error).message }, { cause: error })
    })
    bytes += taken
    pages += 1
    return response
  }
  const persistently = async (url: string, file: string, headers: Record<string, string> = {}) => {
    for (let tries = 0; ; tries++)
      try {
        return await take(url, file, headers)
      } catch (error) {
        if (limit.aborted) throw new FetchRefused({ code: 'TOO_SLOW', url, seconds: fetching.minutes * 60 })
        const seconds = pauseFor(error, tries)
        if (seconds === undefined || signal.aborted || tries + 1 >= fetching.tries) throw error
        await pause(seconds, signal)
      }
  }
  try {
    const first = path.join(folder, '.page')
    const response = await persistently(address, first, {
      ...(known?.etag !== undefined && { 'if-none-match': known.etag }),
      ...(known?.lastModified !== undefined && { 'if-modified-since': known.lastModified }),
    })
    if (response === undefined) {
      await dispose()
      return undefined
    }
    const url = new URL(response.url)
    const file = path.join(folder, nameIn(url))
    const joined = await inPages({ url, first, file, fetchPage: persistently, count: () => pages })
    const [etag, lastModified] = [response.headers.get('etag'), response.headers.get('last-modified')]
    const isOne = joined.file === first
    if (isOne) await rename(first, file)
    return {
      file,
      url: url.href,
      pages,
      ...(joined.partial !== undefined && { partial: joined.partial }),
      ...(isOne && etag !== null && { etag }),
      ...(isOne && lastModified !== null && { lastModified }),
      [Symbol.asyncDispose]: dispose,
    }
  } catch (error) {
    await dispose()
    throw error
  }
}

interface Paging {
  readonly url: URL
  readonly first: string
  readonly file: string
  fetchPage(url: string, file: string): Promise<{ readonly url: string } | undefined>
  count(): number
}

/** @returns parsed JSON, XML as a text of its bytes; undefined for others, and what is too long for a page */
async function documentIn(file: string): Promise<unknown> {
  if ((await stat(file)).size > pageBytes) return undefined
  const bytes = await readFile(file)
  if (/^(?:\u00EF\u00BB\u00BF)?\s*</u.test(bytes.toString('latin1', 0, 200))) return bytes.toString('latin1')
  const text = bytes.toString('utf8')
  try {
    return /^\uFEFF?\s*[[{]/u.test(text) ? (JSON.parse(text.replace(/^\uFEFF/u, '')) as unknown) : undefined
  } catch {
    return undefined
  }
}

async function inPages({
  url,
  first,
  file,
  fetchPage,
  count,
}: Paging): Promise<{ readonly file: string; readonly partial?: FetchedFile['partial'] }> {
  const document = await documentIn(first)
  let page = pageOf(url, document, 0)
  if (page === undefined) return { file: first }
  const { total } = page
  if (page.isDocument && page.next === undefined) return { file: first, ...partOf(page.count, total) }
  const [before, after] = page.around
  // XML keeps the encoding that it names.
  const encoding = typeof document === 'string' ? 'latin1' : 'utf8'
  const joined = await open(file, 'wx', 0o600)
  let [got, repeated] = [0, 0]
  let isWhole = true
  const seen = new Set<string>()
  try {
    await joined.write(before, null, encoding)
    for (let at = url; ;) {
      const { rows, between }: AnswerPage = page
      if (page.count === 0) {
        isWhole = page.next === undefined
        break
      }
      const hashes = rows.map(hashOf)
      const before = hashes.filter((hash) => seen.has(hash)).length
      if (got > 0 && before === rows.length) throw new FetchRefused({ code: 'REPEATED', url: at.href })
      repeated += before
      for (const hash of hashes) seen.add(hash)
      await joined.write(`${got === 0 ? '' : between}${rows.join(between)}`, null, encoding)
      got += page.count
      const { next } = page
      if (next === undefined) break
      if (next.origin !== url.origin) throw new FetchRefused({ code: 'ELSEWHERE', url: next.href })
      if (count() >= fetching.pages)
        throw new FetchRefused({ code: 'PAGES', url: next.href, most: fetching.pages })
      const answer = await fetchPage(next.href, first)
      at = new URL(answer?.url ?? next.href)
      page = pageOf(at, await documentIn(first), got)
      if (page === undefined) throw new FetchRefused({ code: 'NO_PAGE', url: at.href })
    }
    await joined.write(after, null, encoding)
  } finally {
    await joined.close()
  }
  // Where a page has rows of earlier ones, others are on none.
  const different = got - repeated
  if (total === undefined && !isWhole) return { file, partial: { returned: different } }
  return { file, ...partOf(different, total ?? got) }
}

const hashOf = (row: string): string => createHash('sha256').update(row).digest('base64').slice(0, 16)

const partOf = (returned: number, total = returned): Pick<FetchedFile, 'partial'> =>
  returned < total ? { partial: { returned, total } } : {}
