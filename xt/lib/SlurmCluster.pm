package SlurmCluster;
1;
