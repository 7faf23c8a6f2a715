import { dirname, relative, resolve, sep } from 'node:path'
import { z } from 'zod'
import { availableLanguages } from './languages.ts'
import { baseMapChoice } from '../streets/choice.ts'
import { SiteOptionError } from './option-error.ts'

/** Writes an export into the given empty folder; `earlier` is the data folder of the replaced site, for `exportRegistry`. */
export type ExportWriter = (folder: string, earlier?: string) => Promise<unknown>

const exportFolder = 'must be the folder of an export'
const howManyPages = 'must be none, all or how many fountains get a page, such as 5000'
const sharedPassword = 'must be an address without a password, which every visitor would see'

const webAddress = z.url({ protocol: /^https?$/u, error: 'must be an http: or https: address' })
const pathOnHost = z
  .string()
  .regex(/^\/[\w\-./~]*$/u, 'must be a path that begins with a slash, such as /fountains')
const pathOrAddress = z.union([webAddress, pathOnHost], 'must be a path or an http: or https: address')
const path = (error: string) =>
  z
    .string()
    .min(1, error)
    .transform((given) => resolve(given))

const schema = z.object({
  data: z.union(
    [path(exportFolder), z.custom<ExportWriter>((given) => typeof given === 'function', exportFolder)],
    exportFolder,
  ),
  dataState: z.string().min(1, 'must not be empty').optional(),
  out: path('must be the folder to write the site to'),
  base: pathOnHost.default('/'),
  api: pathOrAddress.transform((address) => address.replace(/\/+$/u, '')).optional(),
  registration: z.enum(['open', 'invite', 'closed'], 'must be open, invite or closed').optional(),
  imageHosts: z
    .array(
      z
        .string()
        .regex(/^[a-z\d-]+(?:\.[a-z\d-]+)+$/u, 'must be names of hosts, such as upload.wikimedia.org'),
    )
    .min(1, 'must name at least one host')
    .optional(),
  title: z.string().trim().min(1, 'must not be blank').max(200).optional(),
  style: pathOrAddress.optional(),
  basemap: z
    .string()
    .min(1, 'must be a PMTiles file, its address, or openfreemap')
    .transform((given, { addIssue }) => {
      const choice = baseMapChoice(given)
      if (!choice) addIssue({ code: 'custom', message: sharedPassword })
      return choice
    })
    .optional(),
  languages: z.array(z.string()).min(1, 'must name at least one language').optional(),
  pages: z
    .union(
      [
        z.literal('none').transform(() => 0),
        z.literal('all').transform(() => Infinity),
        z.number().int(howManyPages).min(0, howManyPages),
      ],
      howManyPages,
    )
    .optional(),
  places: path('must be a file of places, as GeoJSON').optional(),
  extra: path('must be a folder of files').optional(),
  url: webAddress.transform((address) => new URL(address)).optional(),
  linked: z.boolean().default(false),
})

export type CheckedOptions = Awaited<ReturnType<typeof checkOptions>>

/** Checks the options of a build; the base is by default the path of `url`. @throws {SiteOptionError} naming the invalid option */
export async function checkOptions(options: unknown) {
  const { data: parsed, error } = schema.safeParse(options)
  if (!parsed) {
    const { path = ['options'], message = 'is invalid' } = error.issues[0] ?? {}
    throw new SiteOptionError({ code: 'INVALID', option: path.join('.'), expected: message })
  }
  const { url, languages, ...same } = parsed
  const { out, data, basemap, style } = same
  if (basemap && style !== undefined)
    throw new SiteOptionError({ code: 'BASEMAP_WITH_STYLE', option: 'basemap' })
  if (typeof data === 'string' && (isInside(out, data) || isInside(data, out)))
    throw new SiteOptionError({ code: 'NESTED', option: 'out', out, data })
  if (same.extra !== undefined && (isInside(out, same.extra) || isInside(same.extra, out)))
    throw new SiteOptionError({
      code: 'INVALID',
      option: 'extra',
      expected: 'must be outside of the folder of the site',
    })
  if (dirname(out) === out) throw new SiteOptionError({ code: 'ROOT', option: 'out' })
  const base = same.base === '/' && url ? url.pathname : same.base
  return {
    ...same,
    base: base.endsWith('/') ? base : `${base}/`,
    origin: url?.origin,
    languages: await checkLanguages(languages),
  }
}

function isInside(inner: string, outer: string): boolean {
  const path = relative(outer, inner)
  return path === '' || (!path.startsWith(`..${sep}`) && path !== '..' && !path.startsWith(sep))
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
