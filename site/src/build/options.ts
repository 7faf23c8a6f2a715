import { dirname, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import { availableLanguages } from './languages.ts'
import { type BaseMapChoice, baseMapChoice } from '../streets/choice.ts'
import { SiteOptionError } from './option-error.ts'

const webAddress = z.url({ protocol: /^https?$/u, error: 'must be an http: or https: address' })

const howManyPages = 'must be none, all or how many fountains get a page, such as 5000'

/**
 * Writes an export into the given empty folder. `earlier` is the data folder of the replaced site, if any: for
 * `earlier` of `exportRegistry`.
 */
export type ExportWriter = (folder: string, earlier?: string) => Promise<unknown>

const exportFolder = 'must be the folder of an export'

const schema = z.object({
  data: z.union(
    [
      z.string().min(1, exportFolder),
      z.custom<ExportWriter>((given) => typeof given === 'function', exportFolder),
    ],
    exportFolder,
  ),
  dataState: z.string().min(1, 'must not be empty').optional(),
  out: z.string().min(1, 'must be the folder to write the site to'),
  base: z
    .string()
    .regex(/^\/[\w\-./~]*$/u, 'must be a path that begins with a slash, such as /fountains')
    .default('/'),
  api: z
    .union([webAddress, z.string().regex(/^\/[\w\-./~]*$/u)], 'must be a path or an http: or https: address')
    .optional(),
  title: z.string().trim().min(1, 'must not be blank').max(200).optional(),
  style: z
    .union([webAddress, z.string().regex(/^\/[\w\-./~]*$/u)], 'must be a path or an http: or https: address')
    .optional(),
  basemap: z.string().min(1, 'must be a PMTiles file, its address, or openfreemap').optional(),
  languages: z.array(z.string()).min(1, 'must name at least one language').optional(),
  pages: z
    .union(
      [z.literal('none'), z.literal('all'), z.number().int(howManyPages).min(0, howManyPages)],
      howManyPages,
    )
    .optional(),
  places: z.string().min(1, 'must be a file of places, as GeoJSON or CSV').optional(),
  url: webAddress.optional(),
  linked: z.boolean().default(false),
})

/** The checked options, with defaults applied and absolute folders. */
export interface CheckedOptions {
  readonly data: string | ExportWriter
  readonly dataState?: string
  readonly out: string
  readonly linked: boolean
  readonly base: string
  readonly origin?: string
  readonly api?: string
  readonly title?: string
  readonly style?: string
  readonly basemap?: BaseMapChoice
  readonly languages: readonly string[]
  readonly places?: string
  /** How many waypoints get a page, infinite for all; absent for as many as fit the usual hosts. */
  readonly pages?: number
}

/**
 * Checks the options of a build. The base is the path of `url` when only that is given.
 *
 * @throws {SiteOptionError} naming the invalid option.
 */
export async function checkOptions(options: unknown): Promise<CheckedOptions> {
  const parsed = schema.safeParse(options)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new SiteOptionError({
      code: 'INVALID',
      option: issue?.path.join('.') ?? 'options',
      expected: issue?.message ?? 'is invalid',
    })
  }
  const { out, api, title, style, url, pages, places, linked, dataState } = parsed.data
  const basemap = checkBaseMap(parsed.data)
  const address = url === undefined ? undefined : new URL(url)
  const data = typeof parsed.data.data === 'string' ? resolve(parsed.data.data) : parsed.data.data
  refuseNested(resolve(out), data)
  const base = parsed.data.base === '/' && address ? address.pathname : parsed.data.base
  return {
    data,
    dataState,
    out: resolve(out),
    linked,
    base: base.endsWith('/') ? base : `${base}/`,
    ...(pages !== undefined && { pages: pages === 'none' ? 0 : pages === 'all' ? Infinity : pages }),
    ...(places !== undefined && { places: resolve(places) }),
    languages: await checkLanguages(parsed.data.languages),
    origin: address?.origin,
    api: api?.replace(/\/+$/u, ''),
    title,
    style,
    basemap,
  }
}

function checkBaseMap({
  basemap,
  style,
}: {
  readonly basemap?: string | undefined
  readonly style?: string | undefined
}): BaseMapChoice | undefined {
  if (basemap === undefined) return undefined
  if (style !== undefined) throw new SiteOptionError({ code: 'BASEMAP_WITH_STYLE', option: 'basemap' })
  const choice = baseMapChoice(basemap)
  if (choice) return choice
  const expected = 'must be an address without a password, which every visitor would see'
  throw new SiteOptionError({ code: 'INVALID', option: 'basemap', expected })
}

function refuseNested(out: string, data: string | ExportWriter): void {
  const inside = (inner: string, outer: string): boolean => {
    const path = relative(outer, inner)
    return path === '' || (!path.startsWith(`..${sep}`) && path !== '..' && !path.startsWith(sep))
  }
  if (typeof data === 'string' && (inside(out, data) || inside(data, out))) {
    throw new SiteOptionError({ code: 'NESTED', option: 'out', out, data })
  }
  if (dirname(out) === out) throw new SiteOptionError({ code: 'ROOT', option: 'out' })
}

async function checkLanguages(wanted: readonly string[] | undefined): Promise<readonly string[]> {
  const available = await availableLanguages()
  const chosen = [...new Set(wanted ?? available)]
  const unknown = chosen.filter((tag) => !available.includes(tag))
  if (unknown.length > 0) {
    throw new SiteOptionError({ code: 'UNKNOWN_LANGUAGES', option: 'languages', unknown, available })
  }
  return chosen
}
