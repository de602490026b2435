import { Linking, Platform } from 'react-native'
import type { Surroundings } from './system.types.ts'

/** What app.json calls the app. */
const site = 'Interview side view'

export const surroundings = (): Surroundings => ({
  system: Platform.OS === 'ios' ? 'iosApp' : 'androidApp',
  site,
  openSettings: () => void Linking.openSettings().catch(() => undefined),
})
