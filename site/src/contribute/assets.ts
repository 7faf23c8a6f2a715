/** Files that the forms load when they first open. */
export interface Assets {
  /** Address of their style. */
  readonly style: string
  /** Changes with the words of any language. */
  readonly version: string
}

let given: Assets | undefined

/** Says where that is, on a page that does not. */
export function provideAssets(assets: Assets): void {
  given = assets
}

/** Where that is: as a page says on which people contribute. */
export function assets(): Assets {
  const { style = '', version = '' } = document.getElementById('contribute')?.dataset ?? {}
  return given ?? { style, version }
}
