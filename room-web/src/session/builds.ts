import type { Build } from './invitation-api.ts'

/** What the page is read on, as far as a browser tells. `other`: a phone or a tablet, which the application is not for. */
export type Machine = 'darwin' | 'win32' | 'linux' | 'other' | 'unknown'

/** From `navigator.userAgent` and whether it says that there are several points of touch (an iPad calls itself a Mac). */
export const machineOf = (userAgent: string, touchPoints: number): Machine => {
  if (/Android|iPhone|iPad|iPod|Mobile/i.test(userAgent)) return 'other'
  if (/Macintosh|Mac OS X/i.test(userAgent)) return touchPoints > 1 ? 'other' : 'darwin'
  if (/Windows/i.test(userAgent)) return 'win32'
  return /Linux|CrOS|X11/i.test(userAgent) ? 'linux' : 'unknown'
}

const platformNames: Readonly<Record<string, string>> = { darwin: 'macOS', win32: 'Windows', linux: 'Linux' }
const archNames: Readonly<Record<string, string>> = {
  'darwin arm64': 'Apple silicon',
  'darwin x64': 'Intel',
  x64: '64 bit',
  arm64: 'ARM, 64 bit',
  ia32: '32 bit',
  arm: 'ARM, 32 bit',
  universal: '',
}

/** `macOS (Apple silicon)`: names that are the same in every language. */
export const buildName = ({ platform, arch }: Build): string => {
  const machine = archNames[`${platform} ${arch}`] ?? archNames[arch] ?? arch
  return `${platformNames[platform] ?? platform}${machine ? ` (${machine})` : ''}`
}

/** What is fetched is fetched from an address of the web, whatever a manifest says. */
const isWebAddress = ({ url }: Build): boolean => /^https?:\/\//i.test(url)

/** Builds for this machine, and those for others, each in the order they came in. */
export const sortBuilds = (builds: readonly Build[], machine: Machine): { here: Build[]; elsewhere: Build[] } => {
  const real = builds.filter(isWebAddress)
  return {
    here: real.filter(({ platform }) => platform === machine),
    elsewhere: real.filter(({ platform }) => platform !== machine),
  }
}
