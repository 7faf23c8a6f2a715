/** The colours of the map, from the page's tokens. */
export interface MapColours {
  readonly water: string
  readonly land: string
  readonly border: string
  readonly coast: string
  readonly label: string
  readonly halo: string
  readonly point: string
  readonly pointVerified: string
  readonly cluster: string
  readonly clusterText: string
  readonly area: string
  /** For drawings on points. */
  readonly onPoint: string
  readonly accent: string
  /** Colour of warnings. */
  readonly warm: string
  /** Colour of broken fountains. */
  readonly danger: string
  readonly surface: string
}

/** Reads the current colours; they differ in light and dark. */
export function readColours(): MapColours {
  const style = getComputedStyle(document.documentElement)
  const token = (name: string) => {
    const value = style.getPropertyValue(`--${name}`).trim() || '#888888'
    const [, light, dark] = /^light-dark\((.+), ?(.+)\)$/u.exec(value) ?? []
    return (isDark() ? dark : light) ?? value
  }
  return {
    water: token('map-water'),
    land: token('map-land'),
    border: token('map-border'),
    coast: token('map-coast'),
    label: token('map-label'),
    halo: token('map-halo'),
    point: token('map-point'),
    pointVerified: token('map-point-verified'),
    cluster: token('map-cluster'),
    clusterText: token('map-cluster-text'),
    area: token('map-area'),
    onPoint: token('on-accent'),
    accent: token('accent'),
    warm: token('warm'),
    danger: token('danger'),
    surface: token('surface'),
  }
}

/** Whether the page is dark now: the visitor's choice, else the system's preference. */
export function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme']
  return chosen === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
}

/** Calls back whenever the page turns light or dark. */
export function onColourChange(changed: () => void): void {
  new MutationObserver(changed).observe(document.documentElement, { attributeFilter: ['data-theme'] })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed)
}
