/** The errors of build options: each code with its facts. Folders are absolute. */
export interface SiteOptionFacts {
  /** `expected` continues the option's name, such as "must not be blank". */
  INVALID: { readonly option: string; readonly expected: string }
  /** One of the two folders contains the other, or both are the same. */
  NESTED: { readonly option: 'out'; readonly out: string; readonly data: string }
  ROOT: { readonly option: 'out' }
  OUT_IS_FILE: { readonly option: 'out'; readonly out: string }
  /** The folder holds something else than an earlier site. */
  OUT_IN_USE: { readonly option: 'out'; readonly out: string }
  OUT_NOT_WRITABLE: { readonly option: 'out'; readonly out: string; readonly reason: string }
  /** Another build writes it just now. */
  OUT_BUSY: { readonly option: 'out'; readonly out: string }
  /** Requested tags that are not available, and all available ones. */
  UNKNOWN_LANGUAGES: {
    readonly option: 'languages'
    readonly unknown: readonly string[]
    readonly available: readonly string[]
  }
  EXTRA_UNREADABLE: { readonly option: 'extra'; readonly extra: string; readonly reason: string }
  /** Neither a file nor a folder, such as a symbolic link. */
  EXTRA_NO_FILE: { readonly option: 'extra'; readonly path: string }
  /** `name` is the path of a file of the site itself, below its folder. */
  EXTRA_IN_USE: { readonly option: 'extra'; readonly name: string }
  BASEMAP_WITH_STYLE: { readonly option: 'basemap' }
  BASEMAP_MISSING: { readonly option: 'basemap'; readonly path: string }
  BASEMAP_IS_FOLDER: { readonly option: 'basemap'; readonly path: string }
  BASEMAP_UNREADABLE: BaseMapFacts & { readonly reason: string }
  BASEMAP_UNREACHABLE: { readonly option: 'basemap'; readonly url: string; readonly reason: string }
  /** The host ignores range requests and sends the whole file. */
  BASEMAP_WHOLE: { readonly option: 'basemap'; readonly url: string }
  /** `found` is the actual file type, where it is recognized. */
  BASEMAP_NOT_PMTILES: BaseMapFacts & { readonly found?: string }
  BASEMAP_CUT_OFF: BaseMapFacts & { readonly bytes: number; readonly described: number }
  BASEMAP_DAMAGED: BaseMapFacts & { readonly reason: string }
  /** `content` is the type of the tiles, such as PNG. */
  BASEMAP_NOT_VECTOR: BaseMapFacts & { readonly content: string }
  BASEMAP_COMPRESSION: BaseMapFacts
  /** `layers` are the layers of the tiles; `isOld` marks an earlier version of the right schema. */
  BASEMAP_SCHEMA: BaseMapFacts & { readonly layers: readonly string[]; readonly isOld: boolean }
  BASEMAP_NOT_COPIED: BaseMapFacts & { readonly to: string; readonly reason: string }
}

/** `basemap` is the file or its address. */
interface BaseMapFacts {
  readonly option: 'basemap'
  readonly basemap: string
}

export type SiteOptionCode = keyof SiteOptionFacts

/** A problem: a code together with the facts that belong to it. */
export type SiteOptionProblem<Code extends SiteOptionCode = SiteOptionCode> = {
  [One in Code]: { readonly code: One } & SiteOptionFacts[One]
}[Code]

const texts: { readonly [Code in SiteOptionCode]: (problem: SiteOptionProblem<Code>) => string } = {
  INVALID: ({ expected }) => expected,
  NESTED: ({ out, data }) => `${out} and the export folder ${data} must not lie inside each other`,
  ROOT: () => 'must not be the root of the disk',
  OUT_IS_FILE: ({ out }) => `${out} is a file; give a folder`,
  OUT_IN_USE: ({ out }) =>
    `${out} holds other files, which a build would replace; give a new or empty folder`,
  OUT_NOT_WRITABLE: ({ out, reason }) => `${out} cannot be written (${reason})`,
  OUT_BUSY: ({ out }) => `another build writes ${out} just now; wait until it is done, or end it`,
  UNKNOWN_LANGUAGES: ({ unknown, available }) =>
    `${unknown.join(', ')} not available; choose from ${available.join(', ')}`,
  EXTRA_UNREADABLE: ({ extra, reason }) => `${extra} cannot be read (${reason}); give a folder of files`,
  EXTRA_NO_FILE: ({ path }) => `${path} is neither a file nor a folder; put the file itself there`,
  EXTRA_IN_USE: ({ name }) => `${name} is a file of the site itself; remove or rename yours`,
  BASEMAP_WITH_STYLE: () => 'takes the place that style has; give one of them',
  BASEMAP_MISSING: ({ path }) =>
    `${path} does not exist; give a PMTiles file, its http: or https: address, or openfreemap`,
  BASEMAP_IS_FOLDER: ({ path }) => `${path} is a folder; give a PMTiles file`,
  BASEMAP_UNREADABLE: ({ basemap, reason }) => `${basemap} cannot be read (${reason})`,
  BASEMAP_UNREACHABLE: ({ url, reason }) =>
    `${url} cannot be read (${reason}); put the file there first, or give a file`,
  BASEMAP_WHOLE: ({ url }) =>
    `the host of ${url} does not send parts of files (206), which maps need; give the file, or use another host`,
  BASEMAP_NOT_PMTILES: ({ basemap, found }) =>
    found === 'MBTiles'
      ? `${basemap} is an MBTiles file; convert it: pmtiles convert IN.mbtiles OUT.pmtiles`
      : `${basemap} is ${found ?? 'not a PMTiles file'}; give a PMTiles file of version 3, such as: ${extract}`,
  BASEMAP_CUT_OFF: ({ basemap, bytes, described }) =>
    `${basemap} is cut off: it has ${bytes} of ${described} bytes; copy or extract it again`,
  BASEMAP_DAMAGED: ({ basemap, reason }) => `${basemap} is damaged: ${reason}; copy or extract it again`,
  BASEMAP_NOT_VECTOR: ({ basemap, content }) =>
    `${basemap} has ${content} tiles; streets are drawn from vector tiles (MVT), such as: ${extract}`,
  BASEMAP_COMPRESSION: ({ basemap }) =>
    `${basemap} is compressed in a way that browsers cannot read; its tiles must be compressed with gzip or not at all`,
  BASEMAP_SCHEMA: ({ basemap, layers, isOld }) =>
    `${basemap} ${isOld ? 'has an earlier version of Protomaps’ schema' : `does not have Protomaps’ schema, but ${layers.length === 0 ? 'no description of its layers' : `the layers ${listed(layers)}`}`}; extract version 4: ${extract}; for other tiles give a style`,
  BASEMAP_NOT_COPIED: ({ basemap, to, reason }) =>
    `${basemap} cannot be copied to ${to} (${reason}); make room there, or put it on a host and give its address`,
}

/** How to get the right tiles. */
const extract =
  'pmtiles extract https://build.protomaps.com/DATE.pmtiles city.pmtiles --bbox=WEST,SOUTH,EAST,NORTH'

const listed = (names: readonly string[]): string =>
  names.length > 8 ? `${names.slice(0, 8).join(', ')} and more` : names.join(', ')

/**
 * An option of a build is invalid.
 *
 * `problem` has the code and its facts, `option` the name of the option, `found` the problem with its remedy; `message`
 * has both, such as "base: must be a path that begins with a slash, such as /fountains".
 */
export class SiteOptionError extends Error {
  override readonly name = 'SiteOptionError'
  readonly problem: SiteOptionProblem
  readonly found: string

  constructor(problem: SiteOptionProblem, options?: ErrorOptions) {
    const text = (texts[problem.code] as (given: SiteOptionProblem) => string)(problem)
    super(`${problem.option}: ${text}`, options)
    this.problem = problem
    this.found = text
  }

  get code(): SiteOptionCode {
    return this.problem.code
  }

  get option(): string {
    return this.problem.option
  }

  /** The facts of the problem, such as `option`, `out` or `available`. */
  get details(): Readonly<Record<string, unknown>> {
    const { code: _code, ...facts } = this.problem
    return facts
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
