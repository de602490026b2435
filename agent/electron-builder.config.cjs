// What electron-builder makes of the folder that build/stage-app.ts puts together. That folder, the output and Electron's
// version are given by build/package-agent.ts; who signs comes from the environment.
const scheme = 'integrity-agent'
const product = 'Interview Integrity'

const { env } = process
const notarises = Boolean(
  (env.APPLE_ID && env.APPLE_APP_SPECIFIC_PASSWORD && env.APPLE_TEAM_ID) ||
    (env.APPLE_API_KEY && env.APPLE_API_KEY_ID && env.APPLE_API_ISSUER),
)

/** @type {import('electron-builder').Configuration} */
module.exports = {
  appId: 'org.interview-integrity.agent',
  productName: product,
  copyright: 'The interview-integrity authors',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: filled in by electron-builder
  artifactName: 'interview-integrity-${version}-${os}-${arch}.${ext}',
  directories: { buildResources: 'resources' },
  // The folder holds what is needed and nothing else, its node_modules too. `false` says so: nothing is collected from
  // the workspace, rebuilt or fetched. With `npmRebuild: false` it would not be asked.
  beforeBuild: async () => false,
  files: ['**/*', { from: 'node_modules', to: 'node_modules' }],
  publish: null,
  asar: { smartUnpack: false },
  // Machine code must be a file of its own; everything else stays under the archive's integrity.
  asarUnpack: ['**/*.node', '**/*.{dylib,dll,so}', '**/*.so.*', 'node_modules/ffmpeg-static/ffmpeg*'],
  electronLanguages: ['en', 'en-US', 'hi'],
  electronFuses: {
    runAsNode: false,
    enableCookieEncryption: true,
    enableNodeOptionsEnvironmentVariable: false,
    enableNodeCliInspectArguments: false,
    enableEmbeddedAsarIntegrityValidation: true,
    onlyLoadAppFromAsar: true,
    grantFileProtocolExtraPrivileges: false,
    resetAdHocDarwinSignature: true,
  },
  protocols: [{ name: product, schemes: [scheme], role: 'Viewer' }],
  mac: {
    icon: 'icons/icon.png',
    category: 'public.app-category.business',
    target: [
      { target: 'dmg', arch: ['universal'] },
      // Updates take the zip.
      { target: 'zip', arch: ['universal'] },
    ],
    // Both halves of the universal application carry both processors' machine code, as it is.
    x64ArchFiles: 'Contents/Resources/app.asar.unpacked/node_modules/**',
    hardenedRuntime: true,
    gatekeeperAssess: false,
    entitlements: 'resources/entitlements.mac.plist',
    entitlementsInherit: 'resources/entitlements.mac.plist',
    notarize: notarises,
    extendInfo: {
      NSCameraUsageDescription: 'Pictures from your camera during the interview, if you agree to them.',
      NSMicrophoneUsageDescription: 'The sound of your microphone during the interview, if you agree to it.',
      NSScreenCaptureUsageDescription: 'Pictures of your displays during the interview, if you agree to them.',
      // Without it the sound of the computer is a stream of nothing, and no error says so.
      NSAudioCaptureUsageDescription: 'The sound of your computer during the interview, if you agree to it.',
    },
  },
  dmg: { sign: false },
  win: { icon: 'icons/icon.png', target: [{ target: 'nsis', arch: ['x64'] }] },
  nsis: {
    // For this user alone, so that no administrator is needed.
    oneClick: true,
    perMachine: false,
    deleteAppDataOnUninstall: false,
    include: 'resources/installer.nsh',
  },
  linux: {
    icon: 'icons/icon.png',
    executableName: 'interview-integrity',
    syncDesktopName: true,
    category: 'Office',
    synopsis: 'Sends what a candidate has agreed to, while an interview runs',
    target: [
      { target: 'AppImage', arch: ['x64'] },
      { target: 'deb', arch: ['x64'] },
    ],
    desktop: { entry: { StartupWMClass: 'interview-integrity', MimeType: `x-scheme-handler/${scheme};` } },
  },
  deb: { recommends: ['ffmpeg', 'sox'] },
}
