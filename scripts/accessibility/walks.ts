import type { EvidenceName } from './evidence.ts'

/** Tests that walk every client with axe, and by keyboard alone. */
export const axe = [
  'axeOfWindow',
  'room',
  'requests',
  'phone',
  'account',
  'desk',
] as const satisfies readonly EvidenceName[]
export const keyboard = [
  'windowByKeyboard',
  'room',
  'requests',
  'phone',
  'desk',
] as const satisfies readonly EvidenceName[]
