/** What each type of evidence is called in front of a candidate. */
export const texts = {
  'type.screenshot': 'Pictures of displays',
  'type.screen_clip': 'Recordings of displays',
  'type.audio_chunk': 'Sound of the microphone',
  'type.system_audio_chunk': 'Sound that the computer played',
  'type.camera_frame': 'Pictures of the camera',
  'type.camera_clip': 'Recordings of the camera',
  'type.side_view_clip': "Recordings of the phone's side view",
  'type.placement_photo': "Photos of the phone's place",
} as const
