/** Files that the forms load when they first open. */
export interface Assets {
  /** Address of their style. */
  readonly style: string
  /** Changes with the texts of any language. */
  readonly version: string
}

let given: Assets | undefined

/** Provides the addresses on a page without them in its own markup. */
export function provideAssets(assets: Assets): void {
  given = assets
}

/** The addresses of the forms' files, from the page's markup. */
export function assets(): Assets {
  const { style = '', version = '' } = document.getElementById('contribute')?.dataset ?? {}
  return given ?? { style, version }
}
