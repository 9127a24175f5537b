/* SPDX-License-Identifier: Apache-2.0
 *
 * The parts of the solver are compiled twice: for double, and with MATM_SINGLE defined for float. This header
 * says what the numbers are, and gives the second set of functions names of their own.
 *
 * Sums are of double in both, and exact.
 */
#ifndef MAEOTIS_NUMERICS_MATM_PRECISION_H
#define MAEOTIS_NUMERICS_MATM_PRECISION_H

#ifdef MATM_SINGLE
typedef float Real;
#define MPI_REAL_OF_LANES MPI_FLOAT

#define conjugate_compare       single_conjugate_compare
#define conjugate_end           single_conjugate_end
#define conjugate_goes_on       single_conjugate_goes_on
#define conjugate_observe       single_conjugate_observe
#define correction_create       single_correction_create
#define correction_destroy      single_correction_destroy
#define correction_hold         single_correction_hold
#define correction_join         single_correction_join
#define correction_setup        single_correction_setup
#define correction_split        single_correction_split
#define device_clear            single_device_clear
#define device_clear_edges      single_device_clear_edges
#define device_copy_all         single_device_copy_all
#define device_copy_edge        single_device_copy_edge
#define device_sweep            single_device_sweep
#define device_totals           single_device_totals
#define sweep_state_create      single_sweep_state_create
#define sweep_state_release     single_sweep_state_release
#define pipeline_sweep          single_pipeline_sweep
#define inner_create            single_inner_create
#define inner_destroy           single_inner_destroy
#define inner_setup             single_inner_setup
#define matm_in_double          matm_in_single
#define late_begin              single_late_begin
#define late_is_possible        single_late_is_possible
#define lane_layout_create      single_lane_layout_create
#define lane_layout_destroy     single_lane_layout_destroy
#define lane_matrix_create      single_lane_matrix_create
#define lane_matrix_release     single_lane_matrix_release
#define lanes_add               single_lanes_add
#define lanes_add_to_field      single_lanes_add_to_field
#define lanes_add_to_field_late single_lanes_add_to_field_late
#define lanes_advance           single_lanes_advance
#define lanes_advance_both      single_lanes_advance_both
#define lanes_advance_late      single_lanes_advance_late
#define lanes_direction_late    single_lanes_direction_late
#define device_totals_begin     single_device_totals_begin
#define pipeline_rests          single_pipeline_rests
#define matm_late_end           single_matm_late_end
#define matm_late_scalars       single_matm_late_scalars
#define matm_late_destroy       single_matm_late_destroy
#define lanes_clear             single_lanes_clear
#define lanes_clear_edges       single_lanes_clear_edges
#define lanes_copy              single_lanes_copy
#define lanes_copy_all          single_lanes_copy_all
#define lanes_copy_edge         single_lanes_copy_edge
#define lanes_create            single_lanes_create
#define lanes_destroy           single_lanes_destroy
#define lanes_direction         single_lanes_direction
#define lanes_exchange          single_lanes_exchange
#define lanes_find_pieces       single_lanes_find_pieces
#define lanes_from_field        single_lanes_from_field
#define lanes_narrow            single_lanes_narrow
#define lanes_norms_of_d        single_lanes_norms_of_d
#define lanes_products          single_lanes_products
#define lanes_totals            single_lanes_totals
#define matm_bicgstab           single_matm_bicgstab
#define matm_conjugate          single_matm_conjugate
#define matm_in_place           single_matm_in_place
#define matm_least_residual     single_matm_least_residual
#define matm_observed_omega     single_matm_observed_omega
#define matm_paper              single_matm_paper
#define matm_precondition       single_matm_precondition
#define matrix_apply            single_matrix_apply
#define matrix_rest             single_matrix_rest
#define matrix_apply_skew       single_matrix_apply_skew
#define matrix_create           single_matrix_create
#define matrix_destroy          single_matrix_destroy
#define matrix_split            single_matrix_split
#define coarsen_sum             single_coarsen_sum
#define refine_add              single_refine_add
#define matrix_load             single_matrix_load
#define matrix_narrow           single_matrix_narrow
#define mixed_advance           single_mixed_advance
#define mixed_apply             single_mixed_apply
#define matrix_scale            single_matrix_scale
#define multigrid_create        single_multigrid_create
#define multigrid_cycle         single_multigrid_cycle
#define multigrid_destroy       single_multigrid_destroy
#define multigrid_setup         single_multigrid_setup
#define pipeline_backward       single_pipeline_backward
#define pipeline_clear_inflow   single_pipeline_clear_inflow
#define pipeline_create         single_pipeline_create
#define pipeline_destroy        single_pipeline_destroy
#define pipeline_forward        single_pipeline_forward
#define regroup_back            single_regroup_back
#define regroup_create          single_regroup_create
#define regroup_destroy         single_regroup_destroy
#define regroup_there           single_regroup_there
#define sweep_backward          single_sweep_backward
#define sweep_forward           single_sweep_forward
#define sweep_in_place          single_sweep_in_place
#else
typedef double Real;
#define MPI_REAL_OF_LANES MPI_DOUBLE
#endif

#endif
