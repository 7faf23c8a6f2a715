import type { Page } from '../../views/page.ts'

export function engineWords(page: Page): Readonly<Record<string, string>> {
  const scroll = (key: string) => page.text('map.gestureScroll', { key })
  return {
    'Map.Title': page.text('map.label'),
    'ScaleControl.Meters': page.text('map.distanceMetres', { n: '' }).trim(),
    'ScaleControl.Kilometers': page.text('map.distanceKilometres', { n: '' }).trim(),
    'CooperativeGesturesHandler.WindowsHelpText': scroll(page.text('map.gestureKey')),
    'CooperativeGesturesHandler.MacHelpText': scroll('⌘'),
    'CooperativeGesturesHandler.MobileHelpText': page.text('map.gestureTouch'),
  }
}
