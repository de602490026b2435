import { BatteryState, getPowerStateAsync } from 'expo-battery'
import { activateKeepAwakeAsync, deactivateKeepAwake } from 'expo-keep-awake'
import { addNetworkStateListener, getNetworkStateAsync } from 'expo-network'
import { Accelerometer } from 'expo-sensors'
import { AppState, Dimensions, Platform } from 'react-native'
import type { DevicePort, DeviceReading, MotionPort } from '../session/session.ports.ts'

/** expo-sensors gives multiples of the earth's gravity. m/s². */
const gravity = 9.80665
const sampleMs = 100

const read = async (): Promise<DeviceReading> => {
  const power = await getPowerStateAsync().catch(() => undefined)
  const network = await getNetworkStateAsync().catch(() => undefined)
  const { width, height } = Dimensions.get('window')
  const level = power?.batteryLevel ?? -1
  const state = power?.batteryState ?? BatteryState.UNKNOWN
  return {
    battery: level < 0 ? null : level,
    charging: state === BatteryState.UNKNOWN ? null : state === BatteryState.CHARGING || state === BatteryState.FULL,
    network: network?.type?.toLowerCase().slice(0, 20) ?? null,
    orientation: width > height ? 'landscape' : 'portrait',
    foreground: AppState.currentState === 'active',
  }
}

/** Unlike any other of this phone: time and 52 random bits. It is a name and no secret. */
const newId = (): string => {
  const random = Math.floor(Math.random() * 2 ** 52)
  return `${Date.now().toString(36)}-${random.toString(36)}`
}

export const createNativeDevice = (): DevicePort => ({
  facts: {
    platform: Platform.OS,
    osVersion: String(Platform.Version),
    timeZone: Intl.DateTimeFormat().resolvedOptions().timeZone,
  },
  // An app runs once.
  takeOver: async () => {},
  read,
  onForeground(listener) {
    const subscription = AppState.addEventListener('change', listener)
    return () => subscription.remove()
  },
  onOnline(listener) {
    const subscription = addNetworkStateListener(({ isConnected }) => {
      if (isConnected) listener()
    })
    return () => subscription.remove()
  },
  stayAwake() {
    // A phone that refuses it behaves as it always does.
    activateKeepAwakeAsync().catch(() => undefined)
    return () => {
      deactivateKeepAwake().catch(() => undefined)
    }
  },
  newId,
})

export const createNativeMotion = (): MotionPort => ({
  start(onSample) {
    Accelerometer.setUpdateInterval(sampleMs)
    const subscription = Accelerometer.addListener(({ x, y, z }) =>
      onSample({ x: x * gravity, y: y * gravity, z: z * gravity }),
    )
    return () => subscription.remove()
  },
})
