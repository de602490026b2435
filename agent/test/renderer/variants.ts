import sharp from 'sharp'
import { qrRows } from '../../src/desktop/phone-pairing.ts'
import type { Preview, WindowState } from '../../src/shared/ipc/window-state.ts'
import {
  askingState,
  breakState,
  buildAsked,
  buildConsent,
  buildState,
  consentState,
  doneState,
  endedSession,
  finishingState,
  pausedState,
  recordingState,
  startedAt,
  troubledCheck,
  troubledRecording,
  workingCheck,
} from './states.ts'

/** One look of the window: a state, and what is pressed to come there. */
export interface Variant {
  readonly state: WindowState
  readonly previews?: readonly Preview[]
  /** Texts of buttons, in the catalogue's English, pressed one after another. */
  readonly press?: readonly string[]
}

const drawn = async (body: string): Promise<string> => {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="180">${body}</svg>`
  const jpeg = await sharp(Buffer.from(svg)).jpeg({ quality: 80 }).toBuffer()
  return `data:image/jpeg;base64,${jpeg.toString('base64')}`
}
const desktop = (colour: string) =>
  drawn(`<rect width="320" height="180" fill="${colour}"/><rect x="30" y="24" width="190" height="120" rx="4" fill="#f6f8fa"/>
    <path d="M44 44h120M44 58h150M44 72h90M44 86h140M44 100h110" stroke="#57606a" stroke-width="4"/>
    <rect y="166" width="320" height="14" fill="#24292f"/>`)
const person =
  await drawn(`<rect width="320" height="180" fill="#c8d3dc"/><circle cx="160" cy="76" r="34" fill="#c9967a"/>
  <path d="M90 180c0-80 140-80 140 0z" fill="#3f5c4b"/>`)

export const previews: readonly Preview[] = [
  { lane: 'screen', displayId: 'eDP-1', picture: await desktop('#1d4f91') },
  { lane: 'screen', displayId: 'HDMI-1', picture: await desktop('#3f5c4b') },
  { lane: 'camera', picture: person },
  { lane: 'microphone', levelDb: -24 },
  { lane: 'system_audio', levelDb: -120 },
]

const toDocument = ['Read what would be recorded'] as const
const transcript = { audio: { transcript: true } }
const wholePolicy = { ...transcript, sideView: { enabled: true }, pauseAllowed: true, requiredApps: ['Code editor'] }
const phoneUrl = 'https://interviews.harbour.example/companion/#K7QF2M9X'
const minimum = '1.5.0'

const changed = consentState(wholePolicy, {
  consent: {
    ...buildConsent({ ...wholePolicy, retentionDays: 30, capture: { screenshotIntervalSeconds: 5 } }),
    changes: [
      { what: 'retention', before: '90' },
      { what: 'lane_text', lane: 'screen', before: buildConsent().document.lanes[0]?.text ?? '' },
      { what: 'lane_added', lane: 'transcript', title: 'A written transcript' },
      { what: 'lane_required', lane: 'camera' },
    ],
  },
})

/** Every screen of the window, and every look of it that has something of its own. */
export const variants = {
  code: { state: buildState({ server: 'https://interviews.harbour.example' }) },
  'code-other-address': { state: buildState() },
  'code-problem': {
    state: buildState({
      server: 'https://x.example',
      code: 'K7QF-2M9X',
      problem: { code: 'code_not_valid', detail: '404' },
    }),
  },
  joining: { state: buildState({ screen: 'joining', server: 'https://interviews.harbour.example' }) },
  who: { state: consentState(wholePolicy) },
  consent: { state: consentState(wholePolicy, { keyProtection: 'basic' }), press: toDocument },
  'consent-missing': { state: consentState(transcript), press: [...toDocument, 'Agree as chosen above'] },
  'consent-decline': { state: consentState(), press: [...toDocument, 'Decline everything'] },
  'consent-changed': { state: changed },
  check: { state: workingCheck, previews },
  'check-linux': { state: troubledCheck('linux'), previews },
  'check-mac': { state: troubledCheck('darwin') },
  'check-windows': { state: troubledCheck('win32') },
  'check-begin': { state: troubledCheck('linux'), press: ['Begin the recording'] },
  registering: { state: consentState({}, { screen: 'registering' }) },
  recording: { state: recordingState(), previews },
  'recording-trouble': { state: troubledRecording, previews },
  'recording-asked': { state: askingState() },
  'recording-asked-needed': {
    state: askingState(buildAsked([{ lane: 'microphone', sending: true }], { optionalLanes: [] })),
  },
  'recording-withdraw': { state: recordingState(), press: ['Withdraw: Your camera'] },
  'recording-end': { state: recordingState(), press: ['End the recording'] },
  'recording-phone-code': {
    state: recordingState(undefined, {
      phone: {
        state: 'code',
        joinCode: 'K7QF-2M9X',
        url: phoneUrl,
        qr: qrRows(phoneUrl),
        expiresAt: new Date(startedAt + 900_000).toISOString(),
      },
    }),
  },
  'recording-phone': {
    state: recordingState(undefined, {
      phone: {
        state: 'paired',
        recording: 'on',
        battery: 0.62,
        charging: true,
        lastSeenAt: new Date(startedAt + 240_000).toISOString(),
        placementConfirmed: true,
      },
    }),
  },
  paused: { state: pausedState },
  'recording-breaks': { state: breakState({ left: 2 }) },
  'paused-break': { state: breakState({ left: 1, endsAt: startedAt + 300_000 }) },
  finishing: { state: { ...finishingState, unsent: { items: 214, events: 12, bytes: 48_700_000 } } },
  'finishing-offline': {
    state: {
      ...finishingState,
      ended: { by: 'service', at: startedAt },
      network: { state: 'offline', live: false, nextTryAt: startedAt + 60_000 },
    },
  },
  done: { state: doneState },
  'done-opened': { state: doneState, press: ['See your data, or ask for it'] },
  refused: { state: consentState({}, { screen: 'refused', refusal: 'told' }) },
  failed: {
    state: consentState(
      {},
      {
        screen: 'failed',
        session: endedSession,
        problem: { code: 'signed_out', detail: '401' },
        unsent: { items: 12, events: 3, bytes: 2_100_000 },
      },
    ),
  },
  'update-ask': { state: buildState({ screen: 'update_required', update: { state: 'below_minimum', minimum } }) },
  'update-downloading': {
    state: buildState({
      screen: 'update_required',
      update: { state: 'downloading', version: '1.5.2', minimum, receivedBytes: 31_000_000, totalBytes: 96_000_000 },
    }),
  },
  'update-ready': {
    state: buildState({ screen: 'update_required', update: { state: 'ready', version: '1.5.2', minimum } }),
  },
  'update-refused': {
    state: buildState({ screen: 'update_required', update: { state: 'refused', version: '1.5.2', detail: 'sha512' } }),
  },
} as const satisfies Record<string, Variant>

export type VariantName = keyof typeof variants
export const variantNames = Object.keys(variants) as VariantName[]
