const tokens = {
  water: 'map-water',
  land: 'map-land',
  border: 'map-border',
  coast: 'map-coast',
  label: 'map-label',
  halo: 'map-halo',
  point: 'map-point',
  pointVerified: 'map-point-verified',
  cluster: 'map-cluster',
  clusterText: 'map-cluster-text',
  area: 'map-area',
  onPoint: 'on-accent',
  accent: 'accent',
  warm: 'warm',
  danger: 'danger',
  surface: 'surface',
} as const

export type MapColours = Readonly<Record<keyof typeof tokens, string>>

export function readColours(): MapColours {
  const style = getComputedStyle(document.documentElement)
  const colourOf = (token: string): string => {
    const value = style.getPropertyValue(`--${token}`).trim() || '#888888'
    const [, light, dark] = /^light-dark\((.+), ?(.+)\)$/u.exec(value) ?? []
    return (isDark() ? dark : light) ?? value
  }
  return Object.fromEntries(
    Object.entries(tokens).map(([name, token]) => [name, colourOf(token)]),
  ) as MapColours
}

export function isDark(): boolean {
  const chosen = document.documentElement.dataset['theme']
  return chosen === undefined ? matchMedia('(prefers-color-scheme: dark)').matches : chosen === 'dark'
}

export function onColourChange(changed: () => void): void {
  new MutationObserver(changed).observe(document.documentElement, { attributeFilter: ['data-theme'] })
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed)
}
