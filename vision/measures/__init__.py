"""What can be measured of any picture: functions of arrays that know no game."""
