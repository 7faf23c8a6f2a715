/** The tests that `npm test` leaves to `npm run test:all`, each tag with its requirements. */
export interface Tag {
  readonly description: string
  readonly needs: readonly string[]
  /** Further Debian packages with OPENFOUNTAIN_EFFORT=full. */
  readonly needsInFull?: readonly string[]
  readonly seconds: number
  readonly minutes: number
}

const browser = 'chromium-headless-shell'

/** Debian packages of `npm test`. */
export const basic: readonly string[] = [browser, 'postgresql']

/** In the order in which `npm run test:all` runs them. */
export const tags = {
  process: { description: 'starts processes of the command', needs: [browser], seconds: 120, minutes: 10 },
  postgres: { description: 'runs on PostgreSQL', needs: ['postgresql'], seconds: 120, minutes: 14 },
  browser: { description: 'opens pages in a browser', needs: [browser], seconds: 120, minutes: 20 },
  others: {
    description: 'compares with programs of others',
    needs: [
      browser,
      'apache2',
      'caddy',
      'fail2ban',
      'gdal-bin',
      'golang-go',
      'golang-golang-x-mod-dev',
      'libimage-exiftool-perl',
      'libxml2-utils',
      'logrotate',
      'nginx',
      'osmium-tool',
      'python3-owslib',
      'sqlite3',
      'systemd',
    ],
    needsInFull: ['python3-geopandas', 'python3-pandas', 'python3-qgis', 'r-cran-sf'],
    seconds: 120,
    minutes: 8,
  },
  long: { description: 'repeats what is random or large', needs: basic, seconds: 600, minutes: 22 },
  install: { description: 'installs the packages that are published', needs: [], seconds: 300, minutes: 10 },
  full: {
    description: 'needs OPENFOUNTAIN_EFFORT=full: QGIS, R, Next, the Debian package, containers',
    needs: ['buildah', 'crun', 'debootstrap', 'lintian', 'podman', 'python3-qgis'],
    needsInFull: ['python3-geopandas', 'python3-pandas', 'r-cran-sf'],
    seconds: 600,
    minutes: 20,
  },
} as const satisfies Readonly<Record<string, Tag>>

export type TagName = keyof typeof tags

export const isTag = (name: unknown): name is TagName => typeof name === 'string' && Object.hasOwn(tags, name)

export const tagNames: readonly TagName[] = Object.keys(tags).filter(isTag)

declare module 'vitest' {
  interface TestTags {
    tags: TagName
  }
}
