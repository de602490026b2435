import type { BodyInputOf, EndpointMap, placementSteps, ResultOf } from '@integrity/protocol'

export type Claimed = ResultOf<EndpointMap['pairings.claim']>
export type Status = ResultOf<EndpointMap['companion.get']>
export type PresenceAnswer = ResultOf<EndpointMap['pairings.presence']>
export type ConsentAnswer = BodyInputOf<EndpointMap['pairings.consent']>
export type ConsentDocument = Claimed['consentDocument']
export type Beat = BodyInputOf<EndpointMap['pairings.presence']>['beats'][number]
export type DeviceFacts = NonNullable<BodyInputOf<EndpointMap['pairings.claim']>['device']>
export type Step = (typeof placementSteps)[number]
export interface ConfirmedStep {
  readonly step: Step
  readonly confirmed: boolean
}

/** The contract's steps in its order; another list there does not compile here. */
export const steps: typeof placementSteps = ['height', 'angle', 'screen_visible', 'hands_visible']

/** What a phone knows once its code was taken. Kept through a reload. */
export interface Pairing extends Omit<Claimed, 'companionToken' | 'expiresAt'> {
  readonly token: string
  readonly stage: 'consent' | 'declined' | 'placement' | 'live' | 'leaving'
  /** When the side view began, epoch milliseconds by the server's clock. */
  readonly liveSince?: number
}

/** Why the side view is interrupted; the word a presence beat carries. */
export type Reason =
  | 'background'
  | 'permission_denied'
  | 'camera_busy'
  | 'camera_missing'
  | 'no_picture'
  | 'storage_full'

export interface Picture {
  readonly bytes: ArrayBuffer
  readonly contentType: 'image/webp' | 'image/jpeg' | 'image/png'
}

/** A small grey picture, one byte for each pixel, row by row. */
export interface GreyFrame {
  readonly width: number
  readonly height: number
  readonly pixels: Uint8Array
}

/** Acceleration with gravity in m/s², in the axes of the device (DeviceMotionEvent, W3C). */
export interface MotionSample {
  readonly x: number
  readonly y: number
  readonly z: number
}
