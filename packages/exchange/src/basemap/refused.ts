/** Why no streets are taken from an archive. */
export const basemapRefusals = {
  MISSING: 'There is no such file.',
  NOT_PMTILES: 'It is no PMTiles archive of version 3, or it is damaged.',
  NOT_STREETS: 'It has no street tiles in the schema of Protomaps, with the layers roads and water.',
  COMPRESSION: 'Its tiles are compressed by something else than gzip.',
  NO_PLACES: 'The registry has no fountains yet: import or add some first.',
  ELSEWHERE: 'It has no tiles around the fountains: take an archive of their area.',
  CUT_OFF: 'It ends before its tiles do.',
} as const

export type BasemapRefusalCode = keyof typeof basemapRefusals

/** An archive from which no streets are taken: `code` says why. */
export class BasemapRefused extends Error {
  override readonly name = 'BasemapRefused'
  readonly code: BasemapRefusalCode
  readonly source: string

  constructor(
    { code, source }: { readonly code: BasemapRefusalCode; readonly source: string },
    options?: ErrorOptions,
  ) {
    super(`${source}: ${basemapRefusals[code]}`, options)
    this.code = code
    this.source = source
  }
}
