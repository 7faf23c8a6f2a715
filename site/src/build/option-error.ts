import { CodedError, type Lists, type Numbers, type Texts } from '../coded-error.ts'

/** Facts of a problem with an option, by their names; folders are absolute. */
type About<Option extends string, Facts extends string = never> = { readonly option: Option } & Texts<Facts>
type OfBaseMap<Facts extends string = never> = About<'basemap', 'basemap' | Facts>

/** The errors of build options: each code with its facts, and how it is said after the name of the option. */
const texts = {
  INVALID: ({ expected }: About<string, 'expected'>) => expected,
  /** One of the two folders contains the other, or both are the same. */
  NESTED: ({ out, data }: About<'out', 'out' | 'data'>) =>
    `${out} and the export folder ${data} must not lie inside each other`,
  ROOT: (_facts: About<'out'>) => 'must not be the root of the disk',
  OUT_IS_FILE: ({ out }: About<'out', 'out'>) => `${out} is a file; give a folder`,
  OUT_IN_USE: ({ out }: About<'out', 'out'>) =>
    `${out} holds other files, which a build would replace; give a new or empty folder`,
  OUT_NOT_WRITABLE: ({ out, reason }: About<'out', 'out' | 'reason'>) =>
    `${out} cannot be written (${reason})`,
  OUT_BUSY: ({ out }: About<'out', 'out'>) =>
    `another build writes ${out} just now; wait until it is done, or end it`,
  UNKNOWN_LANGUAGES: ({ unknown, available }: About<'languages'> & Lists<'unknown' | 'available'>) =>
    `${unknown.join(', ')} not available; choose from ${available.join(', ')}`,
  EXTRA_UNREADABLE: ({ extra, reason }: About<'extra', 'extra' | 'reason'>) =>
    `${extra} cannot be read (${reason}); give a folder of files`,
  EXTRA_NO_FILE: ({ path }: About<'extra', 'path'>) =>
    `${path} is neither a file nor a folder; put the file itself there`,
  /** `name` is the path below the folder of the site. */
  EXTRA_IN_USE: ({ name }: About<'extra', 'name'>) =>
    `${name} is a file of the site itself; remove or rename yours`,
  BASEMAP_WITH_STYLE: (_facts: About<'basemap'>) => 'takes the place that style has; give one of them',
  BASEMAP_MISSING: ({ path }: About<'basemap', 'path'>) =>
    `${path} does not exist; give a PMTiles file, its http: or https: address, or openfreemap`,
  BASEMAP_IS_FOLDER: ({ path }: About<'basemap', 'path'>) => `${path} is a folder; give a PMTiles file`,
  BASEMAP_UNREADABLE: ({ basemap, reason }: OfBaseMap<'reason'>) => `${basemap} cannot be read (${reason})`,
  BASEMAP_UNREACHABLE: ({ url, reason }: About<'basemap', 'url' | 'reason'>) =>
    `${url} cannot be read (${reason}); put the file there first, or give a file`,
  BASEMAP_WHOLE: ({ url }: About<'basemap', 'url'>) =>
    `the host of ${url} does not send parts of files (206), which maps need; give the file, or use another host`,
  /** `found` is the actual file type, where it is recognized. */
  BASEMAP_NOT_PMTILES: ({ basemap, found }: OfBaseMap & { readonly found?: string }) =>
    found === 'MBTiles'
      ? `${basemap} is an MBTiles file; convert it: pmtiles convert IN.mbtiles OUT.pmtiles`
      : `${basemap} is ${found ?? 'not a PMTiles file'}; give a PMTiles file of version 3, such as: ${extract}`,
  BASEMAP_CUT_OFF: ({ basemap, bytes, described }: OfBaseMap & Numbers<'bytes' | 'described'>) =>
    `${basemap} is cut off: it has ${bytes} of ${described} bytes; copy or extract it again`,
  BASEMAP_DAMAGED: ({ basemap, reason }: OfBaseMap<'reason'>) =>
    `${basemap} is damaged: ${reason}; copy or extract it again`,
  /** `content` is the type of the tiles, such as PNG. */
  BASEMAP_NOT_VECTOR: ({ basemap, content }: OfBaseMap<'content'>) =>
    `${basemap} has ${content} tiles; streets are drawn from vector tiles (MVT), such as: ${extract}`,
  BASEMAP_COMPRESSION: ({ basemap }: OfBaseMap) =>
    `${basemap} is compressed in a way that browsers cannot read; its tiles must be compressed with gzip or not at all`,
  /** `isOld` marks an earlier version of the right schema. */
  BASEMAP_SCHEMA: ({ basemap, layers, isOld }: OfBaseMap & Lists<'layers'> & { readonly isOld: boolean }) =>
    `${basemap} ${isOld ? 'has an earlier version of Protomaps’ schema' : `does not have Protomaps’ schema, but ${layers.length === 0 ? 'no description of its layers' : `the layers ${listed(layers)}`}`}; extract version 4: ${extract}; for other tiles give a style`,
  BASEMAP_NOT_COPIED: ({ basemap, to, reason }: OfBaseMap<'to' | 'reason'>) =>
    `${basemap} cannot be copied to ${to} (${reason}); make room there, or put it on a host and give its address`,
}

export type SiteOptionCode = keyof typeof texts
/** The facts of each code. */
export type SiteOptionFacts = { readonly [Code in SiteOptionCode]: Parameters<(typeof texts)[Code]>[0] }

/** A problem: a code together with the facts that belong to it. */
export type SiteOptionProblem<Code extends SiteOptionCode = SiteOptionCode> = {
  [One in Code]: { readonly code: One } & SiteOptionFacts[One]
}[Code]

/** How to get the right tiles. */
const extract =
  'pmtiles extract https://build.protomaps.com/DATE.pmtiles city.pmtiles --bbox=WEST,SOUTH,EAST,NORTH'

const listed = (names: readonly string[]): string =>
  names.length > 8 ? `${names.slice(0, 8).join(', ')} and more` : names.join(', ')

/**
 * An option of a build is invalid: `problem` has code and facts, `option` its name, `found` the problem with its remedy;
 * `message` has both, such as "base: must be a path that begins with a slash, such as /fountains".
 */
export class SiteOptionError extends CodedError<SiteOptionProblem> {
  override readonly name = 'SiteOptionError'

  constructor(problem: SiteOptionProblem, options?: ErrorOptions) {
    const text = (texts[problem.code] as (given: SiteOptionProblem) => string)(problem)
    super(problem, text, `${problem.option}: ${text}`, options)
  }

  get option(): string {
    return this.problem.option
  }
}

type BaseMapCode = {
  [Code in SiteOptionCode]: SiteOptionFacts[Code] extends { readonly option: 'basemap' } ? Code : never
}[SiteOptionCode]

/** The base map that an operator chose is unusable. */
export const baseMapError = <Code extends BaseMapCode>(
  code: Code,
  facts: Omit<SiteOptionFacts[Code], 'option'>,
): SiteOptionError =>
  new SiteOptionError({ code, option: 'basemap', ...facts } as unknown as SiteOptionProblem)
