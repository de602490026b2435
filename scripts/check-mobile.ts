// Whether the phone's app can be made for devices, as far as this machine can tell: `npm run check:mobile`. The native
// projects that Expo writes for Android and iOS, and the Android bundle as Hermes byte code. Compiling the projects needs
// their makers' tools, and running them a device; neither happens here. Offline; takes some minutes.
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { runProgram } from './run-program.ts'

const root = resolve(import.meta.dirname, '..')
const companion = join(root, 'companion')
const env = { ...process.env, EXPO_OFFLINE: '1', EXPO_NO_TELEMETRY: '1', EXPO_NO_GIT_STATUS: '1', CI: '1' }

const expo = async (cwd: string, ...args: string[]): Promise<void> => {
  const cli = join(companion, 'node_modules/expo/bin/cli')
  const { code, output } = await runProgram(process.execPath, [cli, ...args], { cwd, env })
  if (code !== 0) throw new Error(`expo ${args.join(' ')} failed:\n${output}`)
}

const demand = (holds: boolean, what: string): void => {
  if (!holds) throw new Error(`not so: ${what}`)
  console.log(`✓ ${what}`)
}

/** The projects are written into a copy, so that the tree stays as it is. Beside the original, for its links to hold. */
const nativeProjects = async (): Promise<void> => {
  const copy = mkdtempSync(join(root, '.tsbuild', 'mobile-'))
  try {
    for (const name of ['app.json', 'package.json', 'index.ts', 'src', 'tsconfig.json'])
      cpSync(join(companion, name), join(copy, name), { recursive: true })
    symlinkSync(join(companion, 'node_modules'), join(copy, 'node_modules'))
    await expo(copy, 'prebuild', '--platform', 'android', '--no-install')
    const manifest = readFileSync(join(copy, 'android/app/src/main/AndroidManifest.xml'), 'utf8')
    demand(manifest.includes('android.permission.CAMERA'), 'the Android project asks for the camera')
    const asksForSound = /<uses-permission(?![^>]*tools:node="remove")[^>]*RECORD_AUDIO/.test(manifest)
    demand(!asksForSound, 'the Android project does not ask for the microphone')
    await expo(copy, 'prebuild', '--platform', 'ios', '--no-install')
    const app = readdirSync(join(copy, 'ios')).find((name) => existsSync(join(copy, 'ios', name, 'Info.plist'))) ?? ''
    const plist = readFileSync(join(copy, 'ios', app, 'Info.plist'), 'utf8')
    demand(plist.includes('NSCameraUsageDescription'), 'the iOS project says what the camera is for')
    demand(!plist.includes('NSMicrophoneUsageDescription'), 'the iOS project does not ask for the microphone')
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const magic = Buffer.from('c61fbc03c103191f', 'hex')

const hermesBundle = async (): Promise<void> => {
  const out = mkdtempSync(join(root, '.tsbuild', 'mobile-'))
  try {
    await expo(companion, 'export', '--platform', 'android', '--output-dir', out)
    const folder = join(out, '_expo/static/js/android')
    const bundle = readdirSync(folder).find((name) => name.endsWith('.hbc')) ?? ''
    const bytes = readFileSync(join(folder, bundle))
    demand(bytes.subarray(0, 8).equals(magic), `the Android bundle is Hermes byte code (${bytes.length} bytes)`)
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

mkdirSync(join(root, '.tsbuild'), { recursive: true })
await nativeProjects()
await hermesBundle()
